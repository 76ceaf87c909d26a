/** SQL statements on events, layouts and seats: one function each. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type {
  EventFields,
  SaleOver,
  SaleReport,
  SaleState,
  SeatChanges,
  ShopEvent,
  TicketType,
} from '../event-store.ts';
import type { Layout, LayoutBody, Section } from '../rules/layout.ts';
import type { SeatState } from '../rules/seat-map.ts';
import { toMarkedSeats } from '../rules/seat-marks.ts';

interface EventRow {
  id: string;
  title: string;
  artist: string;
  venue: string;
  description: string;
  image_url: string | null;
  starts_at: Date;
  on_sale_at: Date | null;
  members_from: Date | null;
  sales_end_at: Date | null;
  time_zone: string;
  currency: string;
  max_per_person: number;
  state: SaleState;
  total: number;
  remaining: number;
  standing: TicketType[];
  sections: Section[];
}

type EventValues = EventFields & Pick<ShopEvent, 'membersFrom'>;

const MOST_LISTED = 200;
/** Further holders are not counted as inside; that admits fewer visitors, never more. */
const MOST_HOLDERS = 10_000;

/** A seat whose hold has ended counts as left: the next request gets it. */
const eventColumns = (now: Date) => sql<EventRow>`
  e.id, e.title, e.artist, e.venue, e.description, e.image_url, e.starts_at, e.on_sale_at, e.members_from, e.sales_end_at,
  e.time_zone, e.currency, e.max_per_person, e.state, e.sections,
  (select count(*)::int from seats s where s.event_id = e.id) as total,
  (select count(*)::int from seats s where s.event_id = e.id
     and (s.state = 'free' or (s.state = 'held' and s.held_until <= ${now}))) as remaining,
  (select coalesce(json_agg(json_build_object('typeId', t.id, 'name', t.name, 'price', t.price, 'total', t.total,
     'remaining', t.remaining) order by t.type_no), '[]') from ticket_types t where t.event_id = e.id) as standing`;

/** As phaseOf in rules/event-phase.ts. */
const over = (now: Date) => sql`
  case when e.state = 'cancelled' then 'cancelled' when coalesce(e.sales_end_at, e.starts_at) <= ${now} then 'ended' end as over`;

export async function findEvent(db: Executor, eventId: string, now: Date): Promise<ShopEvent | undefined> {
  const { rows } = await sql<EventRow>`select ${eventColumns(now)} from events e where e.id = ${eventId}`.execute(db);
  return rows[0] && toEvent(rows[0]);
}

export async function listEvents(db: Executor, now: Date): Promise<ShopEvent[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns(now)} from events e where e.state <> 'draft' order by e.starts_at, e.id limit ${MOST_LISTED}
  `.execute(db);
  return rows.map(toEvent);
}

export async function listAllEvents(db: Executor, now: Date): Promise<ShopEvent[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns(now)} from events e order by e.starts_at, e.id limit ${MOST_LISTED}
  `.execute(db);
  return rows.map(toEvent);
}

export async function lockEvent(db: Executor, eventId: string): Promise<SaleState | undefined> {
  const { rows } = await sql<{ state: SaleState }>`select state from events where id = ${eventId} for update`.execute(
    db,
  );
  return rows[0]?.state;
}

/** False if another request created it in the meantime. */
export async function insertEvent(db: Executor, eventId: string, fields: EventValues, now: Date): Promise<boolean> {
  const { title, artist, venue, description, imageUrl, startsAt, timeZone, currency, maxPerPerson } = fields;
  const { rows } = await sql`
    insert into events (id, title, artist, venue, description, image_url, starts_at, on_sale_at, members_from, sales_end_at,
      time_zone, currency, max_per_person, state, created_at, updated_at)
    values (${eventId}, ${title}, ${artist}, ${venue}, ${description}, ${imageUrl}, ${new Date(startsAt)}, ${toDate(fields.onSaleAt)},
      ${toDate(fields.membersFrom)}, ${toDate(fields.salesEndAt)}, ${timeZone}, ${currency}, ${maxPerPerson}, 'draft', ${now}, ${now})
    on conflict do nothing returning id`.execute(db);
  return rows.length > 0;
}

export async function updateEvent(db: Executor, eventId: string, fields: EventValues, now: Date): Promise<void> {
  const { title, artist, venue, description, imageUrl, startsAt, timeZone, currency, maxPerPerson } = fields;
  await sql`
    update events set title = ${title}, artist = ${artist}, venue = ${venue}, description = ${description},
      image_url = ${imageUrl}, starts_at = ${new Date(startsAt)}, on_sale_at = ${toDate(fields.onSaleAt)},
      members_from = ${toDate(fields.membersFrom)}, sales_end_at = ${toDate(fields.salesEndAt)}, time_zone = ${timeZone},
      currency = ${currency}, max_per_person = ${maxPerPerson}, updated_at = ${now}
    where id = ${eventId}`.execute(db);
}

export async function setEventState(db: Executor, eventId: string, state: SaleState, now: Date): Promise<void> {
  await sql`update events set state = ${state}, updated_at = ${now} where id = ${eventId}`.execute(db);
}

export async function upsertLayout(db: Executor, layoutId: string, layout: LayoutBody, now: Date): Promise<void> {
  const [sections, standing] = [JSON.stringify(layout.sections), JSON.stringify(layout.standing)];
  await sql`
    insert into seat_layouts (id, name, sections, standing, updated_at)
    values (${layoutId}, ${layout.name}, ${sections}::jsonb, ${standing}::jsonb, ${now})
    on conflict (id) do update set name = excluded.name, sections = excluded.sections, standing = excluded.standing,
      updated_at = excluded.updated_at`.execute(db);
}

export async function listLayouts(db: Executor): Promise<Layout[]> {
  const { rows } = await sql<Layout>`
    select id as "layoutId", name, sections, standing from seat_layouts order by id limit ${MOST_LISTED}`.execute(db);
  return rows;
}

export async function findLayout(db: Executor, layoutId: string): Promise<Layout | undefined> {
  const { rows } = await sql<Layout>`
    select id as "layoutId", name, sections, standing from seat_layouts where id = ${layoutId}`.execute(db);
  return rows[0];
}

export async function deleteSeats(db: Executor, eventId: string): Promise<void> {
  await sql`delete from seats where event_id = ${eventId}`.execute(db);
  await sql`delete from ticket_types where event_id = ${eventId}`.execute(db);
}

/** Blocked seats are not inserted, so nothing can hold them. */
export async function insertSeats(db: Executor, eventId: string, sections: readonly Section[]): Promise<void> {
  await sql`
    insert into seats (event_id, id, section, section_no, row_no, seat_no, price, section_name, row_label, seat_label, kind, access)
    select ${eventId}, section.id || '-' || row_no || '-' || seat_no, section.id, section.no, row_no, seat_no, section.price,
      section.name, section."rowLabels" ->> (row_no - 1), (section."firstSeat" + seat_no - 1)::text,
      nullif(section.kind, 'rows'), mark.use
    from (
      select s.*, row_number() over () as no from jsonb_to_recordset(${JSON.stringify(sections)}::jsonb) as s(id text, name text,
        rows int, "seatsPerRow" int, price int, kind text, "rowLabels" jsonb, "firstSeat" int)
    ) as section
      cross join lateral generate_series(1, section.rows) as row_no
      cross join lateral generate_series(1, section."seatsPerRow") as seat_no
      left join jsonb_to_recordset(${JSON.stringify(toMarks(sections))}::jsonb) as mark(section text, seat text, use text)
        on mark.section = section.id and mark.seat = row_no || '-' || seat_no
    where mark.use is distinct from 'blocked'
  `.execute(db);
}

function toMarks(sections: readonly Section[]) {
  return sections.flatMap((section) =>
    (['blocked', 'wheelchair', 'companion'] as const).flatMap((use) =>
      [...toMarkedSeats(section[use])].map((seat) => ({ section: section.id, seat, use })),
    ),
  );
}

export async function insertTicketTypes(db: Executor, eventId: string, { standing }: Layout): Promise<void> {
  await sql`
    insert into ticket_types (event_id, id, type_no, name, price, total, remaining)
    select ${eventId}, t.id, row_number() over (), t.name, t.price, t.quantity, t.quantity
    from jsonb_to_recordset(${JSON.stringify(standing)}::jsonb) as t(id text, name text, price int, quantity int)
  `.execute(db);
}

export async function setSections(
  db: Executor,
  eventId: string,
  sections: readonly Section[],
  now: Date,
): Promise<void> {
  await sql`
    update events set sections = ${JSON.stringify(sections)}::jsonb, generation = generation + 1, updated_at = ${now}
    where id = ${eventId}`.execute(db);
}

interface SeatsRow extends SeatChanges {
  currency: string;
  sections: Section[];
}

/** One statement, so one snapshot: a change that it misses is in a transaction not older than `since`. */
export async function readSeats(db: Executor, eventId: string, now: Date): Promise<SeatsRow | undefined> {
  const { rows } = await sql<SeatsRow>`
    select e.generation, e.currency, e.sections, ${over(now)}, pg_snapshot_xmin(pg_current_snapshot())::text as since,
      (select coalesce(json_agg(json_build_array(s.id, s.state)), '[]') from seats s
       where s.event_id = e.id and s.state <> 'free') as changes
    from events e where e.id = ${eventId} and e.state <> 'draft'`.execute(db);
  return rows[0];
}

export async function readChanges(
  db: Executor,
  eventId: string,
  since: string,
  now: Date,
): Promise<SeatChanges | undefined> {
  const { rows } = await sql<SeatChanges & { changes: [string, SeatState][] }>`
    select e.generation, ${over(now)}, pg_snapshot_xmin(pg_current_snapshot())::text as since,
      (select coalesce(json_agg(json_build_array(s.id, s.state)), '[]') from seats s
       where s.event_id = e.id and s.changed_in >= ${since}::text::xid8) as changes
    from events e where e.id = ${eventId} and e.state <> 'draft'`.execute(db);
  return rows[0];
}

/**
 * The time of the report is the start of the statement, before its snapshot: a report that misses a sale is older than one
 * requested after it. A hold that has ended counts as left, even before it is swept.
 */
export async function readStock(db: Executor, eventId: string, now: Date): Promise<SaleReport | undefined> {
  const { rows } = await sql<SaleReport>`
    select ${over(now)}, (extract(epoch from statement_timestamp()) * 1000000)::float8 as "asOf",
      seat.left + coalesce(ticket.left, 0)::int + held.ended as left, seat.held + held.alive as held, held.holders
    from events e,
      lateral (
        select count(*) filter (where s.state = 'free' or s.held_until <= ${now})::int as left,
          count(*) filter (where s.held_until > ${now})::int as held
        from seats s where s.event_id = e.id
      ) as seat,
      lateral (select sum(t.remaining)::int as left from ticket_types t where t.event_id = e.id) as ticket,
      lateral (
        select coalesce(sum(tickets) filter (where r.hold_ends_at > ${now}), 0)::int as alive,
          coalesce(sum(tickets) filter (where r.hold_ends_at <= ${now}), 0)::int as ended,
          coalesce((array_agg(distinct r.visitor) filter (where r.hold_ends_at > ${now}))[1:${MOST_HOLDERS}::int], '{}') as holders
        from reservations r, lateral (
          select coalesce(sum(item.quantity), 0) as tickets from reservation_items item
          where item.reservation_id = r.id and item.live and item.type_id is not null
        ) as standing
        where r.event_id = e.id and r.state = 'held'
      ) as held
    where e.id = ${eventId}`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  if (found.over === 'cancelled') return { ...found, left: 0, held: 0 };
  // Those who hold something can still pay for it.
  return found.over === 'ended' ? { ...found, left: 0 } : found;
}

export async function readOver(db: Executor, eventId: string, now: Date): Promise<SaleOver> {
  const { rows } = await sql<{ over: SaleOver }>`select ${over(now)} from events e where e.id = ${eventId}`.execute(db);
  return rows[0]?.over ?? null;
}

const toDate = (time: string | null) => (time === null ? null : new Date(time));

function toEvent(row: EventRow): ShopEvent {
  const { id, title, artist, venue, description, currency, state, total, remaining, standing } = row;
  return {
    eventId: id,
    title,
    artist,
    venue,
    description,
    imageUrl: row.image_url,
    startsAt: row.starts_at.toISOString(),
    onSaleAt: row.on_sale_at?.toISOString() ?? null,
    membersFrom: row.members_from?.toISOString() ?? null,
    salesEndAt: row.sales_end_at?.toISOString() ?? null,
    timeZone: row.time_zone,
    currency,
    maxPerPerson: row.max_per_person,
    state,
    prices: toPriceRange([...row.sections, ...standing].map(({ price }) => price)),
    sections: row.sections.map(({ id, name, price }) => ({ id, name, price })),
    seats: { total, remaining },
    standing,
  };
}

function toPriceRange(prices: number[]): ShopEvent['prices'] {
  return prices.length === 0 ? null : { low: Math.min(...prices), high: Math.max(...prices) };
}

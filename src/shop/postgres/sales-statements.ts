/** SQL statements on sales: one function each. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Stock } from '../event-store.ts';

export interface SoldRow {
  currency: string;
  purchases: number;
  revenue: number;
  grossRevenue: number;
  refunds: number;
}

/** As the statistics count: a payment counts once confirmed, and a refund only of such a payment. */
export async function sumPurchases(db: Executor, eventId: string): Promise<SoldRow | undefined> {
  const { rows } = await sql<SoldRow>`
    select e.currency, bought.purchases, paid.gross - paid.refunds as revenue,
      paid.gross as "grossRevenue", paid.refunds
    from events e,
      lateral (
        select count(*)::int as purchases from reservations r where r.event_id = e.id and r.state = 'confirmed'
      ) bought,
      lateral (
        select coalesce(sum(p.amount) filter (where p.payment_type = 'reservation'), 0)::float8 as gross,
          coalesce(sum(p.amount) filter (where p.state = 'refunded'), 0)::float8 as refunds
        from payments p
        where p.event_id = e.id and p.confirmed_no is not null
      ) paid
    where e.id = ${eventId}`.execute(db);
  return rows[0];
}

/** A seat whose hold has ended counts as left: the next request gets it. */
export async function countSeats(db: Executor, eventId: string, now: Date): Promise<Stock[]> {
  const { rows } = await sql<Stock>`
    select 'seats' as kind, section.id, section.name, section.price, count(*)::int as total,
      count(*) filter (where s.state = 'sold')::int as sold,
      count(*) filter (where s.state = 'held' and s.held_until > ${now})::int as held
    from events e
      cross join jsonb_to_recordset(e.sections) as section (id text, name text, price int)
      join seats s on s.event_id = e.id and s.section = section.id
    where e.id = ${eventId}
    group by section.id, section.name, section.price order by min(s.section_no)`.execute(db);
  return rows;
}

export async function countStanding(db: Executor, eventId: string): Promise<Stock[]> {
  const { rows } = await sql<Stock>`
    select 'standing' as kind, t.id, t.name, t.price, t.total, coalesce(paid.sold, 0)::int as sold,
      (t.total - t.remaining - coalesce(paid.sold, 0))::int as held
    from ticket_types t left join (
      select i.type_id, sum(i.quantity) as sold
      from reservations r join reservation_items i on i.reservation_id = r.id
      where r.event_id = ${eventId} and r.state = 'confirmed' and i.live and i.type_id is not null
      group by i.type_id
    ) paid on paid.type_id = t.id
    where t.event_id = ${eventId} order by t.type_no`.execute(db);
  return rows;
}

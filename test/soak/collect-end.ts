/** The state when the crowd has gone: empty rooms, seats and money, the log of records, stray keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { ask } from '../support/postgres-server.ts';
import { createBalancer } from './crowd/browser.ts';
import type { Ended, Recorder, ShopEnd } from './history.ts';
import type { Observer } from './observe.ts';
import type { Operator } from './operator.ts';
import { type LogMessage, readTopic } from './read-log.ts';
import type { Stores } from './system/stores.ts';
import { SEEN_TTL_SECONDS, type System } from './system/system.ts';

/** As in docs/reference/records.md. */
const topics = ['payment-events', 'reservation-events', 'transfer-events', 'membership-events', 'traffic-events'];
/** Sessions and places run out, holds expire, payments are settled. */
const DRAIN_MS = (SEEN_TTL_SECONDS + 20) * 1_000;

export async function collectEnd(
  system: System,
  operator: Operator,
  observer: Observer,
  recorder: Recorder,
  say: (text: string) => void,
): Promise<Ended> {
  say('waiting for everything to run out');
  const [rooms] = await Promise.all([untilEmpty(operator), untilSettled(system, operator)]);
  const draws = await operator.readDraws();
  const strayKeys = await findStrayKeys(observer);
  const shop = await readShop(system, operator);
  await readLog(system, recorder);
  const joins = shop === undefined ? undefined : countJoins(recorder);
  return {
    kind: 'end',
    at: Date.now(),
    rooms,
    strayKeys,
    draws,
    ...(shop === undefined ? {} : { shop }),
    ...(joins === undefined ? {} : { joins }),
  };
}

/** The rooms when they are empty, or as they are when they should have been for long. */
async function untilEmpty(operator: Operator): Promise<Ended['rooms']> {
  const deadline = Date.now() + DRAIN_MS;
  for (;;) {
    const rooms = await operator.readRooms();
    const isEmpty = rooms?.every(({ waiting, admitted, active }) => waiting + admitted + active === 0);
    if (rooms !== undefined && (isEmpty || Date.now() > deadline)) return rooms;
    if (Date.now() > deadline + DRAIN_MS) throw new Error('no line process says how many are in its rooms');
    await sleep(250);
  }
}

/** No payment under way, nothing in the outbox, no group behind. */
async function untilSettled({ stores, programs }: System, operator: Operator): Promise<void> {
  if (stores.postgres === undefined) return;
  const records = createBalancer(programs.filter(({ roles }) => roles.includes('stats')));
  const deadline = Date.now() + DRAIN_MS;
  let quiet = 0;
  while (quiet < 5 && Date.now() < deadline) {
    const [row] = await ask(
      stores.postgres.directUrl,
      `select (select count(*) from payments where state in ('confirming', 'refunding'))
        + (select count(*) from payments where look_at is not null)
        + (select count(*) from reservations where state = 'held')
        + (select count(*) from outbox) as open`,
    );
    const isQuiet = Number(row?.open) === 0 && (await operator.isCaughtUp(records));
    quiet = isQuiet ? quiet + 1 : 0;
    await sleep(200);
  }
}

/** Rooms whose visitors are told their numbers by every response, so that places can be counted. */
const COUNTED = /^(?:hall-|arena)/;

/** New places as the records of traffic count them. A killed process loses what it counted since its last record. */
function countJoins({ history }: Recorder): NonNullable<Ended['joins']> {
  const mayBeIncomplete = history.entries.some((entry) => entry.kind === 'fault' && entry.fault === 'kill-line');
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  for (const entry of history.entries) {
    if (entry.kind !== 'record' || entry.topic !== 'traffic-events') continue;
    const { id, payload } = JSON.parse(entry.text) as { id: string; payload: { eventId: string; joined: number } };
    if (seen.has(id) || !COUNTED.test(payload.eventId)) continue;
    seen.add(id);
    counts.set(payload.eventId, (counts.get(payload.eventId) ?? 0) + payload.joined);
  }
  return [...counts].map(([eventId, counted]) => ({ eventId, counted, mayBeIncomplete }));
}

async function findStrayKeys({ client }: Observer): Promise<string[]> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client];
  const found: string[] = [];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', '*unknown-*', 'COUNT', 1_000);
      found.push(...keys);
      cursor = next;
    } while (cursor !== '0' && found.length < 100);
  }
  return found;
}

async function readShop({ stores, programs }: System, operator: Operator): Promise<ShopEnd | undefined> {
  if (stores.postgres === undefined) return undefined;
  const url = stores.postgres.directUrl;
  const [seats, reservations, payments, charges, outbox] = await Promise.all([
    ask(url, `select event_id as "eventId", id, state, reservation_id as "reservationId" from seats`),
    ask(
      url,
      `select r.id, r.event_id as "eventId", r.visitor, r.state, r.amount,
        coalesce(array_agg(i.seat_id) filter (where i.live), '{}') as seats
        from reservations r left join reservation_items i on i.reservation_id = r.id group by r.id`,
    ),
    ask(url, `select order_id as "orderId", reservation_id as "reservationId", visitor, amount, state from payments`),
    ask(url, CHARGES),
    ask(url, 'select count(*)::int as count from outbox'),
  ]);
  const records = createBalancer(programs.filter(({ roles }) => roles.includes('stats')));
  const stats = await operator.readStats(records);
  const money = stats?.money?.[0];
  return {
    ...({ seats, reservations, payments, charges } as unknown as Pick<
      ShopEnd,
      'seats' | 'reservations' | 'payments' | 'charges'
    >),
    outbox: Number(outbox[0]?.count),
    buried: await countBuried(stores),
    ...(stats === undefined
      ? {}
      : { stats: { counts: stats.counts, revenue: money?.revenue ?? 0, refunds: money?.refunds ?? 0 } }),
  };
}

/** The sandbox captures a late charge when its time has come, and notes it when it is next asked. */
const CHARGES = `select order_id as "orderId", amount,
  case when state = 'pending' and captures_at <= now() then 'captured' else state end as state from sandbox_charges`;

async function readLog({ stores: { kafka, postgres } }: System, recorder: Recorder): Promise<void> {
  if (kafka !== undefined)
    for (const topic of topics)
      for (const message of await readTopic(kafka.directAddress, topic)) recorder.add({ kind: 'record', ...message });
  else if (postgres !== undefined)
    for (const row of await ask(postgres.directUrl, LOG))
      recorder.add({ kind: 'record', ...(row as unknown as LogMessage) });
}

const LOG = `select topic, partition, "offset"::int, value as text from record_log where topic not like '%.dlq'`;

async function countBuried({ kafka, postgres }: Stores): Promise<number> {
  if (kafka === undefined) {
    const [row] = await ask(postgres!.directUrl, `select count(*) as count from record_log where topic like '%.dlq'`);
    return Number(row?.count);
  }
  let count = 0;
  for (const topic of topics) count += (await readTopic(kafka.directAddress, `${topic}.dlq`)).length;
  return count;
}

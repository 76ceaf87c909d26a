/**
 * Seat holds compared with PostgreSQL's rate for the same conditional update over the same connections; the latency of a
 * hold while 64 buyers contend for 1,000 seats; and the map of 20,000 seats over HTTP compared with the floor. Short rounds
 * alternate and the ratio is taken per pair. Requires PostgreSQL as installed by Debian.
 */
import pg from 'pg';
import { databaseSchema } from '../src/compose/database-schema.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLazyDatabase } from '../src/platform/database/lazy-database.ts';
import { PostgresEventStore } from '../src/shop/postgres/postgres-event-store.ts';
import { PostgresHoldStore } from '../src/shop/postgres/postgres-hold-store.ts';
import { runLoad } from './load.ts';
import { startPostgres } from './postgres.ts';
import { median, startFairline, startProgram } from './processes.ts';
import { type BenchRow, effort, report, round2 } from './report.ts';

const CONNECTIONS = 10;
const BUYERS = 64;
const ROUNDS = effort(9, 1);
/** Each round uses its own row of seats. */
const HOLDS_PER_ROUND = effort(1_000, 100);
const CONTESTED = 1_000;
const MAP_SECONDS = effort(2, 0.2);
const HOLD_MS = 300_000;

const postgres = await startPostgres();
const database = createLazyDatabase({ url: postgres.url, connections: CONNECTIONS }, databaseSchema);
const options = { database, clock: systemClock };
const events = new PostgresEventStore({
  ...options,
  defaults: { currency: 'KRW', maxPerPerson: 20, timeZone: 'Asia/Seoul' },
  presaleHours: 0,
});
const holds = new PostgresHoldStore({ ...options, holdMs: HOLD_MS });
const direct = new pg.Pool({ connectionString: postgres.url, max: CONNECTIONS });

await createEvent('ours', ROUNDS + 1, HOLDS_PER_ROUND);
await createEvent('rival', ROUNDS + 1, HOLDS_PER_ROUND);
const pairs: { ours: number; rival: number }[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const rival = await rate(HOLDS_PER_ROUND, (i) => updateSeat(`A-${round + 1}-${i + 1}`));
  const ours = await rate(HOLDS_PER_ROUND, (i) => holdSeat(`A-${round + 1}-${i + 1}`));
  // The first round is warm-up.
  if (round > 0) pairs.push({ ours, rival });
}
console.log(`\nHolds of one seat, ${CONNECTIONS} connections to PostgreSQL ${postgres.version}, ${BUYERS} buyers`);
const hold = toRow('seat hold (floor: one UPDATE in PostgreSQL)', pairs);
console.table([hold]);

await createEvent('contested', 40, CONTESTED / 40);
const { times, outcomes } = await contend();
console.log(`\n${BUYERS} buyers contend for ${CONTESTED} seats, one or two at a time, until all are held`);
const contested: BenchRow = {
  what: `seat hold, ${BUYERS} buyers contend for ${CONTESTED} seats, p50`,
  unit: 'ms',
  ours: percentile(times, 0.5),
  more: { 'p99 ms': percentile(times, 0.99), 'worst ms': percentile(times, 1), ...outcomes },
};
console.table([{ ...contested, more: '', ...contested.more }]);

await createEvent('concert', 200, 100);
const floor = await startProgram('floor.js', [], {});
const fairline = await startFairline({
  DATABASE_URL: postgres.url,
  SHOP: 'on',
  DEMO: 'off',
});
const map = `http://127.0.0.1:${fairline.port}/api/seats/events/concert`;
const bytes = await wireBytes(map);
const loads = { connections: 100, seconds: MAP_SECONDS, repeat: true };
const get = (path: string, headers = '') => [`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`];
const mapPairs: { ours: number; rival: number }[] = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const rival = await runLoad({ ...loads, port: floor.port, requests: get(`/bytes/${bytes}`) });
  const zipped = get('/api/seats/events/concert', 'accept-encoding: gzip\r\n');
  const ours = await runLoad({ ...loads, port: fairline.port, requests: zipped });
  if (round > 0) mapPairs.push({ ours: ours.perSecond, rival: rival.perSecond });
}
console.log(`\nMap of 20,000 seats, ${bytes} bytes on the wire, ${loads.connections} connections`);
const seatMap = toRow('map of 20,000 seats', mapPairs);
console.table([seatMap]);
report([hold, contested, seatMap]);
await fairline.stop();
await floor.stop();
await direct.end();
await database.close();
await postgres.stop();

function toRow(what: string, rounds: { ours: number; rival: number }[]): BenchRow {
  return {
    what,
    unit: '/s',
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ rival }) => rival))),
    toFloor: round2(median(rounds.map(({ ours, rival }) => ours / rival))),
  };
}

async function createEvent(eventId: string, rows: number, seatsPerRow: number): Promise<void> {
  const sections = [{ id: 'A', name: 'Hall', rows, seatsPerRow, price: 1_000 }];
  await events.putLayout(eventId, { name: 'Hall', sections, standing: [] });
  await events.putEvent(eventId, { title: eventId, startsAt: '2030-01-01T00:00:00Z' });
  await events.generateSeats(eventId, eventId);
  await events.openEvent(eventId);
  await direct.query('vacuum analyze');
}

/** The minimum that the database must do: take the seat if it is free. */
async function updateSeat(seatId: string): Promise<void> {
  const { rowCount } = await direct.query(
    `update seats set state = 'held', held_until = $3, reservation_id = $4, version = version + 1,
       changed_in = pg_current_xact_id()
     where event_id = $1 and id = $2 and state = 'free'`,
    ['rival', seatId, new Date(Date.now() + HOLD_MS), seatId],
  );
  if (rowCount !== 1) throw new Error(`${seatId} is not free`);
}

async function holdSeat(seatId: string): Promise<void> {
  const held = await holds.holdSeats({ eventId: 'ours', visitor: `buyer of ${seatId}`, seats: { ids: [seatId] } });
  if (held.outcome !== 'held') throw new Error(`${seatId}: ${held.outcome}`);
}

/** Operations per second, with one in flight per buyer. */
async function rate(count: number, work: (i: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const drive = async () => {
    while (next < count) {
      const i = next;
      next += 1;
      await work(i);
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, drive));
  return count / ((performance.now() - startedAt) / 1000);
}

async function contend() {
  const left = new Set(Array.from({ length: CONTESTED }, (_, i) => `A-${Math.floor(i / 25) + 1}-${(i % 25) + 1}`));
  const times: number[] = [];
  const outcomes = { held: 0, taken: 0 };
  let visitors = 0;
  const buy = async () => {
    while (left.size > 0) {
      const from = Math.floor(Math.random() * left.size);
      const ids = [...left].slice(from, from + 1 + Math.round(Math.random()));
      const startedAt = performance.now();
      visitors += 1;
      const visitor = `contender ${visitors}`;
      const { outcome } = await holds.holdSeats({ eventId: 'contested', visitor, seats: { ids } });
      times.push(performance.now() - startedAt);
      if (outcome !== 'held' && outcome !== 'taken') throw new Error(outcome);
      outcomes[outcome] += 1;
      for (const id of outcome === 'held' ? ids : []) left.delete(id);
    }
  };
  await Promise.all(Array.from({ length: BUYERS }, buy));
  return { times, outcomes };
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}

async function wireBytes(url: string): Promise<number> {
  const answer = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  return Number(answer.headers.get('content-length'));
}

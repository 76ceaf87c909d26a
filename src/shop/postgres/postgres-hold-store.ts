/** Holds and reservations in PostgreSQL. SQL functions change them (functions/): one call, one decision. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { isUniqueViolation, isWorthRetrying } from '../../platform/database/database-errors.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { TraceHeaders } from '../../records/append.ts';
import { partitionOf } from '../../records/topics.ts';
import type { HoldOutcome, HoldStore, Reservation, SeatsRequest, TicketsRequest } from '../hold-store.ts';
import {
  findReservation,
  listReservations,
  listUnderCancelledEvents,
  type ReservationRow,
  toReservation,
} from './reservation-statements.ts';

export interface PostgresHoldStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  holdMs: number;
  /** With all its extensions; default: a hold cannot be prolonged. */
  longestHoldMs?: number;
  /** undefined: tracing is off. */
  traceHeaders?: TraceHeaders | undefined;
}

/** Constant texts: the query builder would compose them again for each hold. */
const HOLD_SEATS = `select hold_seats($1, $2, $3, $4::text, $5::text[], $6::int, $7::text, $8::text, $9::text, $10, $11,
  $12, $13, $14::jsonb) as reply`;
const HOLD_TICKETS = `select note_hold(hold_tickets($1, $2, $3, $4::text, $5::text[], $6::int[], $7::text, $8::text, $9, $10),
  $11, $12, $9, $13::jsonb) as reply`;

/** How much longer a hold gets when its buyer asks for it. Shorter than the default extension, to leave time for the payment. */
const EXTENSION_MS = 120_000;
const FREED_AT_ONCE = 200;
const TRIES = 5;

/** The replies of the functions. */
type Reply =
  | Exclude<HoldOutcome, { reservation: Reservation }>
  | { outcome: 'held' | 'repeated'; reservation: ReservationRow };

/** The values of one attempt at a hold. */
interface Attempt {
  id: string;
  now: Date;
  ends: Date;
  recordId: string;
  /** Of the record; `_lane` in SQL. */
  partition: number;
  /** The trace headers, in JSON. */
  headers: string | null;
}

export class PostgresHoldStore implements HoldStore {
  readonly #database: LazyDatabase;
  readonly #clock: Clock;
  readonly #holdMs: number;
  readonly #longestHoldMs: number;
  readonly #traceHeaders: TraceHeaders | undefined;

  constructor({ database, clock, holdMs, longestHoldMs = holdMs, traceHeaders }: PostgresHoldStoreOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#holdMs = holdMs;
    this.#longestHoldMs = longestHoldMs;
    this.#traceHeaders = traceHeaders;
  }

  holdSeats({ eventId, visitor, admission, idempotencyKey = null, seats }: SeatsRequest): Promise<HoldOutcome> {
    const [ids, count, section] =
      'ids' in seats ? [seats.ids, seats.ids.length, null] : [null, seats.best, seats.section ?? null];
    const print = idempotencyKey === null ? null : fingerprint([eventId, ids && [...ids].sort(), count, section]);
    return this.#hold(HOLD_SEATS, ({ id, now, ends, recordId, partition, headers }) => [
      ...[id, eventId, visitor, admission ?? null, ids, count, section, idempotencyKey, print, now, ends],
      ...[recordId, partition, headers],
    ]);
  }

  holdTickets({ eventId, visitor, admission, idempotencyKey = null, tickets }: TicketsRequest): Promise<HoldOutcome> {
    const sorted = [...tickets].sort((a, b) => (a.typeId < b.typeId ? -1 : 1));
    const [types, quantities] = [sorted.map(({ typeId }) => typeId), sorted.map(({ quantity }) => quantity)];
    const print = idempotencyKey === null ? null : fingerprint([eventId, types, quantities]);
    return this.#hold(HOLD_TICKETS, ({ id, now, ends, recordId, partition, headers }) => [
      ...[id, eventId, visitor, admission ?? null, types, quantities, idempotencyKey, print, now, ends],
      ...[recordId, partition, headers],
    ]);
  }

  async find(reservationId: string) {
    return findReservation(await this.#database.get(), reservationId, this.#clock.now());
  }

  async listOf(visitor: string) {
    return listReservations(await this.#database.get(), visitor, this.#clock.now());
  }

  async extend(reservationId: string, visitor: string) {
    const { rows } = await sql<{ reply: 'extended' | 'repeated' | 'ended' | 'unknown' }>`
      select extend_hold(${reservationId}, ${visitor}, ${this.#now()}, ${EXTENSION_MS} * interval '1 millisecond',
        ${this.#longestHoldMs} * interval '1 millisecond') as reply`.execute(await this.#database.get());
    return rows[0]!.reply;
  }

  async release(reservationId: string): Promise<'released' | 'not-held'> {
    const { rows } = await sql<{ released: boolean }>`
      select release_hold(${reservationId}, ${this.#now()}) as released`.execute(await this.#database.get());
    return rows[0]!.released ? 'released' : 'not-held';
  }

  async freeEnded(): Promise<number> {
    const { rows } = await sql<{ freed: number }>`
      select free_ended_holds(null, ${this.#now()}, ${FREED_AT_ONCE}) as freed`.execute(await this.#database.poll());
    return rows[0]!.freed;
  }

  async hasHeld(): Promise<boolean> {
    const { rows } = await sql`select from reservations where state = 'held' limit 1`.execute(
      await this.#database.poll(),
    );
    return rows.length > 0;
  }

  async listUnderCancelledEvents(after: string): Promise<string[]> {
    return listUnderCancelledEvents(await this.#database.poll(), after);
  }

  async #hold(call: string, toValues: (attempt: Attempt) => unknown[]): Promise<HoldOutcome> {
    const trace = this.#traceHeaders?.();
    const headers = trace === undefined ? null : JSON.stringify(trace);
    const database = await this.#database.get();
    const id = `r_${randomBytes(12).toString('base64url')}`;
    const partition = partitionOf(id);
    for (let tries = 1; ; tries += 1) {
      const now = this.#now();
      const ends = new Date(now.getTime() + this.#holdMs);
      const values = toValues({ id, now, ends, recordId: randomUUID(), partition, headers });
      try {
        const { rows } = await database.executeQuery<{ reply: Reply }>(CompiledQuery.raw(call, values));
        const { reply } = rows[0]!;
        if (!('reservation' in reply)) return reply;
        return { outcome: reply.outcome, reservation: toReservation(reply.reservation, now.getTime()) };
      } catch (error) {
        // The same idempotency key for two events at once: the retry finds the other hold.
        if (tries === TRIES || !(isWorthRetrying(error) || isUniqueViolation(error))) throw error;
      }
    }
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

function fingerprint(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
}

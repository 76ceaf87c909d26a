/** Booking codes and buyers in PostgreSQL. */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import type { Booking, BookingStore, Buyer } from '../booking-store.ts';
import { createBookingCode } from '../rules/booking-code.ts';

export interface PostgresBookingStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  /** How long buyers of ended reservations are kept. */
  buyerKeptMs: number;
  createCode?: () => string;
}

/** With a million bookings, one try in 900 meets a code that exists. */
const TRIES = 10;

export function createPostgresBookingStore(options: PostgresBookingStoreOptions): BookingStore {
  const { database, clock, buyerKeptMs, createCode = () => createBookingCode((limit) => randomInt(limit)) } = options;

  async function readCode(reservationId: string): Promise<string | undefined> {
    const { rows } = await sql<{ code: string | null }>`
      select booking_code as code from reservations where id = ${reservationId}`.execute(await database.get());
    return rows[0]?.code ?? undefined;
  }

  return {
    async codeOf(reservationId) {
      const known = await readCode(reservationId);
      if (known !== undefined) return known;
      for (let tries = 1; ; tries += 1) {
        try {
          await sql`
            update reservations set booking_code = ${createCode()}
            where id = ${reservationId} and state = 'confirmed' and booking_code is null`.execute(await database.get());
          break;
        } catch (error) {
          if (tries === TRIES || !isUniqueViolation(error)) throw error;
        }
      }
      // A request at the same time may have stored another one.
      const code = await readCode(reservationId);
      if (code === undefined)
        throw new Error(`reservation ${reservationId} is not confirmed, so it has no booking code`);
      return code;
    },

    async findByCode(code) {
      const { rows } = await sql<{ reservationId: string; email: string | null }>`
        select r.id as "reservationId", b.email from reservations r left join buyers b on b.reservation_id = r.id
        where r.booking_code = ${code} and r.state = 'confirmed'`.execute(await database.get());
      const found = rows[0];
      return found && ({ ...found, email: found.email ?? undefined } satisfies Booking);
    },

    async putBuyer(reservationId, { name, email, phone }) {
      const { rows } = await sql`
        insert into buyers (reservation_id, name, email, phone, given_at)
        select id, ${name}, ${email}, ${phone}, ${new Date(clock.now())}::timestamptz from reservations
        where id = ${reservationId} and state in ('held', 'confirmed')
        on conflict (reservation_id) do update
        set name = excluded.name, email = excluded.email, phone = excluded.phone, given_at = excluded.given_at
        returning reservation_id`.execute(await database.get());
      return rows.length === 1 ? 'stored' : 'over';
    },

    async findBuyer(reservationId) {
      const { rows } = await sql<Buyer>`
        select name, email, phone from buyers where reservation_id = ${reservationId}`.execute(await database.get());
      return rows[0];
    },

    async eraseBuyers() {
      const before = new Date(clock.now() - buyerKeptMs);
      const { rows } = await sql`
        delete from buyers b using reservations r
        where r.id = b.reservation_id and r.state in ('expired', 'cancelled') and r.ended_at < ${before}
        returning b.reservation_id`.execute(await database.get());
      return rows.length;
    },
  };
}

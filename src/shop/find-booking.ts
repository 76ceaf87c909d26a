/**
 * Finds a paid reservation by booking code and email, for buyers who lost their session. Attempts are limited per address, and per
 * code from everywhere, so that neither codes nor the email behind a known code can be guessed. Whether the code exists shows
 * neither in the outcome nor in the limits nor in the time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { normaliseEmail } from '../platform/email.ts';
import { GuessLimit } from '../platform/guess-limit.ts';
import { addressKey, type RateLimit } from '../platform/rate-limit.ts';
import type { BookingStore } from './booking-store.ts';
import { readBookingCode } from './rules/booking-code.ts';

export interface FindBookingOptions {
  bookings: Pick<BookingStore, 'findByCode'>;
  perIp: RateLimit;
  clock: Clock;
}

export interface BookingQuery {
  bookingCode: string;
  email: string;
  ip: string;
}

export type FindBooking = (
  query: BookingQuery,
) => Promise<{ outcome: 'found'; reservationId: string } | { outcome: 'none' } | { outcome: 'wait'; seconds: number }>;

/** Wrong emails per code before each further attempt has to wait. */
const FREE_GUESSES = 5;
const FIRST_WAIT_MS = 30_000;
/** Looked up for texts that cannot be a code: no code has this form, and the work is the same. */
const NO_CODE = 'FL-0000-00';

export function createFindBooking({ bookings, perIp, clock }: FindBookingOptions): FindBooking {
  const perCode = new GuessLimit({ free: FREE_GUESSES, firstWaitMs: FIRST_WAIT_MS, clock });
  return async ({ bookingCode, email, ip }) => {
    const code = readBookingCode(bookingCode) ?? NO_CODE;
    const address = addressKey(ip);
    // Texts that cannot be a code share one key, which must not keep others from trying theirs.
    const seconds = Math.max(perIp.secondsToWait(address), code === NO_CODE ? 0 : perCode.secondsToWait(code));
    if (seconds > 0) return { outcome: 'wait', seconds };
    perIp.count(address);
    perCode.count(code);
    const booking = await bookings.findByCode(code);
    // Without a booking or an email, compared with a text that is no address.
    const isSame = isSameText(normaliseEmail(email) ?? '', booking?.email ?? '-');
    if (booking === undefined || !isSame) return { outcome: 'none' };
    perCode.forget(code);
    return { outcome: 'found', reservationId: booking.reservationId };
  };
}

function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

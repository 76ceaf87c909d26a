/** Until when a buyer may give a reservation back. */
const HOUR_MS = 3_600_000;

export type CancelRule = { outcome: 'allowed' } | { outcome: 'too-late'; endedAt: number };

/** A confirmed reservation can be cancelled, and is refunded in full, until so many hours before the event starts. */
export function mayCancel(startsAt: number, now: number, refundUntilHours: number): CancelRule {
  const endedAt = startsAt - refundUntilHours * HOUR_MS;
  return now < endedAt ? { outcome: 'allowed' } : { outcome: 'too-late', endedAt };
}

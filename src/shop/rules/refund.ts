/** The refund deadline of reservations. */
const HOUR_MS = 3_600_000;

export type CancelRule = { outcome: 'allowed' } | { outcome: 'too-late'; endedAt: number };

/** A confirmed reservation can be cancelled, with a full refund, until `refundUntilHours` before the event starts. */
export function mayCancel(startsAt: number, now: number, refundUntilHours: number): CancelRule {
  const endedAt = refundDeadline(startsAt, refundUntilHours);
  return now < endedAt ? { outcome: 'allowed' } : { outcome: 'too-late', endedAt };
}

export function refundDeadline(startsAt: number, refundUntilHours: number): number {
  return startsAt - refundUntilHours * HOUR_MS;
}

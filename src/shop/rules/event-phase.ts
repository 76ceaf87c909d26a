/**
 * What can be done with an event now. The one rule that the listing, the button, the line, the seat map and the hold obey; the
 * pages use it too.
 */

export const eventPhases = [
  'draft',
  'announced',
  'presale',
  'on-sale',
  'paused',
  'sold-out',
  'ended',
  'cancelled',
] as const;
export type EventPhase = (typeof eventPhases)[number];

export interface PhaseFacts {
  state: 'draft' | 'open' | 'cancelled';
  startsAt: string;
  /** Null: when the event starts. */
  salesEndAt: string | null;
  onSaleAt: string | null;
  membersFrom: string | null;
  /** Seats and standing tickets that are neither sold nor held. */
  left: number;
  /** Whether the operator has paused the line. */
  isPaused?: boolean;
}

export function phaseOf(event: PhaseFacts, now: number): EventPhase {
  if (event.state !== 'open') return event.state;
  if (now >= salesEndOf(event)) return 'ended';
  if (isBefore(now, event.onSaleAt)) return isBefore(now, event.membersFrom) ? 'announced' : 'presale';
  if (event.left <= 0) return 'sold-out';
  return event.isPaused === true ? 'paused' : 'on-sale';
}

/** Neither sold nor held. */
export function ticketsLeft(event: {
  seats: { remaining: number };
  standing: readonly { remaining: number }[];
}): number {
  return event.standing.reduce((sum, { remaining }) => sum + remaining, event.seats.remaining);
}

/** The next time at which the phase can change by itself; undefined if there is none. */
export function nextChangeOf(
  event: Pick<PhaseFacts, 'startsAt' | 'salesEndAt' | 'onSaleAt' | 'membersFrom'>,
  now: number,
) {
  const times = [event.membersFrom, event.onSaleAt].flatMap((iso) => (iso === null ? [] : [Date.parse(iso)]));
  const ahead = [...times, salesEndOf(event)].filter((time) => time > now);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}

/** When nobody can buy any more. */
export function salesEndOf({ salesEndAt, startsAt }: Pick<PhaseFacts, 'salesEndAt' | 'startsAt'>): number {
  return Date.parse(salesEndAt ?? startsAt);
}

function isBefore(now: number, iso: string | null): boolean {
  return iso !== null && now < Date.parse(iso);
}

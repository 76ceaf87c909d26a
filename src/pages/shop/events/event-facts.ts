/** Values derived from an event. */
import { type EventPhase, nextChangeOf, phaseOf, ticketsLeft } from '../../../shop/rules/event-phase.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';

export const leftOf: (event: EventAnswer) => number = ticketsLeft;

export function totalOf({ seats, standing }: EventAnswer): number {
  return standing.reduce((sum, { total }) => sum + total, seats.total);
}

/** The phase now: the server's, computed again when a boundary has passed since it answered. */
export function phaseNow(event: EventAnswer, now: number): EventPhase {
  return phaseOf({ ...event, left: leftOf(event), isPaused: event.phase === 'paused' }, now);
}

/** Milliseconds until the phase can change by itself; undefined if it cannot. */
export function msToNextPhase(event: EventAnswer, now: number): number | undefined {
  const next = nextChangeOf(event, now);
  return next === undefined ? undefined : next - now;
}

/** When sales start, for everyone and for members; past times are left out. */
export function saleTimesOf({ onSaleAt, membersFrom }: EventAnswer, now: number): { all?: string; members?: string } {
  const isAhead = (iso: string | null): iso is string => iso !== null && Date.parse(iso) > now;
  return {
    ...(isAhead(onSaleAt) ? { all: onSaleAt } : {}),
    ...(isAhead(membersFrom) && membersFrom !== onSaleAt ? { members: membersFrom } : {}),
  };
}

/** The events that can no longer be bought or have begun. */
export function isPast(event: EventAnswer, now: number): boolean {
  return Date.parse(event.startsAt) <= now && phaseNow(event, now) !== 'on-sale';
}

export function nameOfPhase(phase: EventPhase): string {
  return {
    draft: '',
    announced: texts.phaseAnnounced,
    presale: texts.phasePresale,
    'on-sale': texts.phaseOnSale,
    paused: texts.phasePaused,
    'sold-out': texts.phaseSoldOut,
    ended: texts.phaseEnded,
    cancelled: texts.phaseCancelled,
  }[phase];
}

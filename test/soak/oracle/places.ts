/**
 * The story of one visitor in one event, told by the responses: places that begin and end. Pure. An ending is any reason that the docs
 * give for a place to be over: leaving, a purchase, an expiry, silence, an operator. While none was possible, a place must stay as it is.
 */
import type { Asked, Entered, Operated, Said, ShopAsked } from '../history.ts';
import type { View } from './view.ts';

export interface Step {
  asked: Asked;
  said: Said;
}

export interface Story {
  visitor: string;
  eventId: string;
  steps: readonly Step[];
  all: readonly Asked[];
  /** Requests that may have ended the place, whether answered or not: they count from the time of sending. */
  endings: readonly { at: number; until: number }[];
}

/** A request without a response may still be executed, by a process that was suspended. */
export const LATE_EFFECT_MS = 30_000;
const OF_TIER1 = new Set(['assign', 'check']);

export function storiesOf(view: View): Story[] {
  const clears = view.operated.filter(({ action }) => action === 'clear');
  const stories: Story[] = [];
  for (const [visitor, asked] of view.askedBy) {
    const eventId = asked[0]!.eventId;
    const steps = asked.flatMap((one) =>
      one.said === undefined || OF_TIER1.has(one.action) ? [] : [{ asked: one, said: one.said }],
    );
    stories.push({
      visitor,
      eventId,
      steps,
      all: asked,
      endings: endingsOf(asked, view.shopBy.get(visitor) ?? [], clears, eventId),
    });
  }
  return stories;
}

function endingsOf(
  asked: readonly Asked[],
  shop: readonly ShopAsked[],
  clears: readonly Operated[],
  eventId: string,
): { at: number; until: number }[] {
  return [
    ...asked
      .filter(({ action }) => action === 'leave')
      .map(({ at, until, status }) => ({ at, until: status === 0 ? until + LATE_EFFECT_MS : until })),
    // A purchase passes the slot on, at the time of the confirmation or when the keeper learns of the money.
    ...shop.filter(({ action }) => action === 'confirm').map(({ at }) => ({ at, until: Number.POSITIVE_INFINITY })),
    ...clears.filter((clear) => clear.eventId === eventId),
  ].map(({ at, until }) => ({ at, until }));
}

/** Whether the place may have ended between these times by something that the visitor or an operator did. */
export function mayHaveEnded(story: Story, from: number, to: number): boolean {
  return story.endings.some(({ at, until }) => at <= to && until >= from);
}

/** Facts that the room's settings of a soak share. */
export interface Terms {
  seenTtlMs: number;
  claimTtlMs: number;
  activeTtlMs: number;
}

/** Clocks are read on both sides of a request. */
export const MARGIN_MS = 1_500;

/** Whether an admission that was reported so may be over by then. */
export function mayBeOver(inside: Step, when: number, terms: Terms): boolean {
  const end = inside.said.expiresAt ?? inside.asked.until + terms.activeTtlMs;
  return when >= end - MARGIN_MS;
}

/**
 * Whether a visitor who was last told to wait may have lost the place by then: silence for `seenTtlMs`, or an admission that they did
 * not take up within `claimTtlMs`.
 */
export function mayHaveLapsed(step: Step, when: number, entry: Entered | undefined, terms: Terms): boolean {
  if (when - step.asked.at >= terms.seenTtlMs - MARGIN_MS) return true;
  return entry !== undefined && when >= entry.at + terms.claimTtlMs - MARGIN_MS;
}

/** The last time that the visitor was heard before `when`. */
export function lastHeard(story: Story, when: number): Asked | undefined {
  let found: Asked | undefined;
  for (const asked of story.all) {
    if (asked.at > when) break;
    if (asked.status === 200 && asked.until <= when) found = asked;
  }
  return found;
}

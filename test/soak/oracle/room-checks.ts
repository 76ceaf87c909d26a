/** Promises about a room as a whole: capacity, order, progress, and that nothing remains. */
import type { Asked, Entered, Sampled } from '../history.ts';
import { lastHeard, MARGIN_MS, mayHaveEnded, type Story } from './places.ts';
import { isOpenAt, limitChangesOf, possibleLimits } from './rooms.ts';
import { groupBy, isDisturbed, mayHaveForgotten, type View, wasHit } from './view.ts';
import type { Violation } from './violation.ts';

export function checkRooms(view: View, stories: readonly Story[]): Violation[] {
  return [
    ...checkCapacity(view),
    ...checkOrder(view, stories),
    ...checkProgress(view, stories),
    ...checkEmptiness(view),
  ];
}

/** At no sample are more inside than a limit that was in force, or than were inside when it was lowered. */
function checkCapacity(view: View): Violation[] {
  return [...view.samples].flatMap(([eventId, samples]) => {
    const changes = limitChangesOf(view, eventId);
    if (changes.length === 0) return [];
    const found: Violation[] = [];
    let before: Sampled | undefined;
    let ceiling = Number.POSITIVE_INFINITY;
    for (const sample of samples) {
      const limits = possibleLimits(changes, before?.at ?? 0, sample.until);
      const highest = Math.max(...limits);
      const allowed = Math.max(highest, Math.min(ceiling, before?.inside ?? 0));
      if (sample.inside > allowed)
        found.push({
          promise: 'L01',
          text: `${sample.inside} were inside ${eventId}, the limit is ${highest}`,
          at: sample.at,
          evidence: before === undefined ? [sample] : [before, sample],
        });
      ceiling = Math.max(highest, Math.min(allowed, sample.inside));
      before = sample;
    }
    return found;
  });
}

/** Nobody is away who was heard from within this time. */
const PRESENT_MS = 10_000;

/** At each admission, everyone present with a lower number must have been admitted. */
function checkOrder(view: View, stories: readonly Story[]): Violation[] {
  const byEvent = groupBy(stories, ({ eventId }) => eventId);
  return [...view.entries].flatMap(([eventId, entries]) => {
    const admittedAt = new Map<number, Entered>();
    for (const entry of entries) if (!admittedAt.has(entry.number)) admittedAt.set(entry.number, entry);
    const waiters = (byEvent.get(eventId) ?? []).flatMap(toWaiters);
    waiters.sort((a, b) => a.number - b.number);
    const direct = (byEvent.get(eventId) ?? []).flatMap((story) => toDirectEntry(story, admittedAt));
    return [...entries, ...direct].flatMap((entry) => findOvertaken(view, entry, waiters, admittedAt));
  });
}

/** Somebody who was admitted by joining: nobody present may have waited. Counts from the response, as it was admitted by then. */
function toDirectEntry(story: Story, admittedAt: ReadonlyMap<number, Entered>): Entered[] {
  const first = story.steps[0];
  const isDirect = first?.asked === story.all[0] && first?.asked.action === 'join' && first.said.state === 'inside';
  const number = first?.said.number;
  if (!isDirect || number === undefined || admittedAt.has(number)) return [];
  return [{ kind: 'entry', at: first.asked.until, eventId: story.eventId, number, id: `${first.asked.until}-0` }];
}

interface Waiter {
  story: Story;
  number: number;
  /** From the first to the last response that said that they wait with this number. */
  from: number;
  to: number;
  last: Asked;
}

function toWaiters(story: Story): Waiter[] {
  const waiters = new Map<number, Waiter>();
  for (const { asked, said } of story.steps) {
    if (said.state !== 'waiting' || said.number === undefined) continue;
    const known = waiters.get(said.number);
    if (known === undefined)
      waiters.set(said.number, { story, number: said.number, from: asked.until, to: asked.at, last: asked });
    else Object.assign(known, { to: asked.at, last: asked });
  }
  return [...waiters.values()];
}

function findOvertaken(
  view: View,
  entry: Entered,
  waiters: readonly Waiter[],
  admittedAt: ReadonlyMap<number, Entered>,
): Violation[] {
  for (const waiter of waiters) {
    if (waiter.number >= entry.number) break;
    // Present before the admission and still waiting after it, as told by a request sent later.
    if (waiter.from >= entry.at || waiter.to <= entry.at + MARGIN_MS) continue;
    const own = admittedAt.get(waiter.number);
    if (own !== undefined && own.at <= entry.at) continue;
    const heard = lastHeard(waiter.story, entry.at - 1);
    if (heard === undefined || heard.at < entry.at - PRESENT_MS) continue;
    if (
      wasHit(view, heard.process, heard.at, entry.at) ||
      isDisturbed(view, entry.at - PRESENT_MS, entry.at, ['redis'])
    ) {
      // The sign of life may have died with the process, or with the store.
      const older = earlierSigns(waiter.story, entry.at);
      if (older < 3) continue;
    }
    if (mayHaveEnded(waiter.story, waiter.from, entry.at) || mayHaveForgotten(view, waiter.from, entry.at)) continue;
    return [
      {
        promise: 'L03',
        text: `number ${entry.number} of ${entry.eventId} was admitted before ${waiter.story.visitor} with number ${waiter.number}, heard from ${entry.at - heard.until} ms earlier`,
        at: entry.at,
        evidence: [heard, entry, ...(own === undefined ? [waiter.last] : [own])],
      },
    ];
  }
  return [];
}

/** How many different processes heard the visitor within the last ten seconds. */
function earlierSigns(story: Story, at: number): number {
  const heard = story.all.filter((asked) => asked.status === 200 && asked.until <= at && asked.at >= at - PRESENT_MS);
  return new Set(heard.map(({ process }) => process)).size;
}

/** How long a free slot may stay free in a quiet time, far beyond two intervals: this machine may be busy. */
const STALL_MS = 10_000;
/** Time in which processes were seen not to run at all comes on top, but not for ever: one that hangs is no busy machine. */
const MOST_STALLED_MS = 20_000;

function checkProgress(view: View, stories: readonly Story[]): Violation[] {
  const byEvent = groupBy(stories, ({ eventId }) => eventId);
  return [...view.samples].flatMap(([eventId, samples]) => {
    const changes = limitChangesOf(view, eventId);
    let first: Sampled | undefined;
    for (const sample of samples) {
      const limits = possibleLimits(changes, sample.at, sample.until);
      const isFree = limits.length > 0 && sample.inside < Math.min(...limits) && sample.waiting > 0;
      const isCalm = isFree && isOpenAt(view, eventId, sample.at) && !isDisturbed(view, sample.at, sample.until);
      if (!isCalm) first = undefined;
      else first ??= sample;
      if (first === undefined || sample.at - first.at < STALL_MS) continue;
      const stalledMs = stalledBetween(view, first.at, sample.at);
      if (sample.at - first.at < STALL_MS + Math.min(stalledMs, MOST_STALLED_MS)) continue;
      const present = (byEvent.get(eventId) ?? []).find((story) => waitsFromTo(story, first!.at, sample.at));
      if (present === undefined) continue;
      const text = `${sample.inside} were inside ${eventId} and ${present.visitor} waited for ${sample.at - first.at} ms though a slot was free`;
      return [{ promise: 'L08' as const, text, at: sample.at, evidence: [first, sample] }];
    }
    return [];
  });
}

/** How much of this time an admitter, or the process that watches, did not run. */
function stalledBetween({ stalls }: View, from: number, to: number): number {
  let [total, covered] = [0, from];
  for (const { process, at, until } of stalls) {
    if (!/^(?:admitter|observer)/.test(process)) continue;
    const end = Math.min(until, to);
    total += Math.max(0, end - Math.max(at, covered));
    covered = Math.max(covered, end);
  }
  return total;
}

/** Whether this visitor was told to wait soon after `from` and shortly before `to`, and never anything else in between. */
function waitsFromTo(story: Story, from: number, to: number): boolean {
  const between = story.steps.filter(({ asked }) => asked.at >= from && asked.until <= to);
  const [one] = between;
  const last = between.at(-1);
  if (one === undefined || last === undefined) return false;
  const isThroughout = one.asked.at - from < 2_500 && to - last.asked.until < 2_500;
  return isThroughout && between.every(({ said }) => said.state === 'waiting') && !mayHaveEnded(story, from, to);
}

/** The crowd has left and everything has run out. */
function checkEmptiness(view: View): Violation[] {
  const { end } = view;
  if (end === undefined) return [];
  return end.rooms
    .filter(({ waiting, admitted, active }) => waiting + admitted + active > 0)
    .map(({ eventId, waiting, admitted, active }) => ({
      promise: 'L07' as const,
      text: `everyone has gone, and ${eventId} still counts ${waiting} waiting, ${admitted} admitted, ${active} active`,
      at: end.at,
      evidence: [],
    }));
}

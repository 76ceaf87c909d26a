/** Promises about places: one per visitor, numbers unique, kept while the visitor is there. */
import type { Entered } from '../history.ts';
import { MARGIN_MS, mayBeOver, mayHaveEnded, mayHaveLapsed, type Step, type Story, type Terms } from './places.ts';
import { isDisturbed, mayHaveForgotten, type View } from './view.ts';
import type { Violation } from './violation.ts';

export function checkPlaces(view: View, stories: readonly Story[], terms: Terms): Violation[] {
  return [
    ...stories.flatMap((story) => checkStory(view, story, terms)),
    ...checkUnique(stories),
    ...checkJoinOrder(view, stories),
    ...checkKeys(stories),
  ];
}

/** Walks through what one visitor was told. */
function checkStory(view: View, story: Story, terms: Terms): Violation[] {
  const found: Violation[] = [];
  const entryOf = entriesByNumber(view, story.eventId);
  let known: Step | undefined;
  for (const step of story.steps) {
    const { asked, said } = step;
    if (known !== undefined && asked.at > known.asked.until) {
      const violation = compare(view, story, known, step, entryOf, terms);
      if (violation !== undefined) found.push(violation);
    }
    if (said.state === 'gone') known = undefined;
    else if (known === undefined || asked.until >= known.asked.until) known = merge(known, step);
  }
  return found;
}

/** Responses do not always name the number: those of the claim door do not. */
function merge(known: Step | undefined, step: Step): Step {
  const number = step.said.number ?? known?.said.number;
  const place = step.said.place ?? known?.said.place;
  return {
    asked: step.asked,
    said: { ...step.said, ...(number === undefined ? {} : { number }), ...(place === undefined ? {} : { place }) },
  };
}

function compare(
  view: View,
  story: Story,
  known: Step,
  step: Step,
  entryOf: ReadonlyMap<number, Entered>,
  terms: Terms,
): Violation | undefined {
  const { asked, said } = step;
  const isLost = said.state === 'gone';
  const isOther =
    (said.number !== undefined && known.said.number !== undefined && said.number !== known.said.number) ||
    (said.place !== undefined && known.said.place !== undefined && said.place !== known.said.place);
  if (!isLost && !isOther) return undefined;
  const [from, to] = [known.asked.at, asked.until];
  if (mayHaveEnded(story, from, to) || mayHaveForgotten(view, from, to)) return undefined;
  // In the lobby there is no number yet.
  if (known.said.state === 'lobby' && !isLost) return undefined;
  if (known.said.state === 'inside') {
    if (mayBeOver(known, to, terms)) return undefined;
    return isLost
      ? violation('L10', story, known, step, 'was inside and was told that the place is gone')
      : violation('L10', story, known, step, 'was inside and got another place');
  }
  if (known.said.state === 'ready' && to >= (known.said.enterBy ?? 0) - MARGIN_MS) return undefined;
  const entry = known.said.number === undefined ? undefined : entryOf.get(known.said.number);
  if (mayHaveLapsed(known, to, entry, terms)) return undefined;
  if (known.said.number === undefined && mayHaveRunOut(view, known, to, terms)) return undefined;
  if (signedInBetween(view, story, from, to))
    return violation('L23', story, known, step, 'signed in and lost the place');
  if (isLost) {
    const promise =
      view.facts.store === 'redis' || view.facts.store === 'cluster-wait' ? lossOf(view, from, to) : 'L06';
    return violation(promise, story, known, step, 'waited, was heard from, and was told that the place is gone');
  }
  return violation('L04', story, known, step, 'waited and was told another number');
}

/**
 * Whether an admission may have run out unseen. The claim door tells no number, so it cannot be found in the store. It needs a fault,
 * or a visitor who got no answer for `claimTtlMs`.
 */
function mayHaveRunOut(view: View, known: Step, to: number, { claimTtlMs }: Terms): boolean {
  return to - known.asked.at >= claimTtlMs - MARGIN_MS || isDisturbed(view, to - claimTtlMs, to);
}

/** A loss around a fault of Redis is one of durability. */
function lossOf(view: View, from: number, to: number): 'L06' | 'R07' {
  const isNearFault = view.faults.some(({ area, at, until }) => area === 'redis' && at <= to && until + 30_000 >= from);
  return isNearFault ? 'R07' : 'L06';
}

function signedInBetween(view: View, story: Story, from: number, to: number): boolean {
  return view.operated.some(
    ({ action, visitor, at }) =>
      action === 'sign-in' && visitor === story.visitor && at >= from - MARGIN_MS && at <= to,
  );
}

const entryCache = new WeakMap<readonly Entered[], Map<number, Entered>>();

export function entriesByNumber(view: View, eventId: string): ReadonlyMap<number, Entered> {
  const entries = view.entries.get(eventId) ?? [];
  let byNumber = entryCache.get(entries);
  if (byNumber === undefined) {
    byNumber = new Map();
    for (const entry of entries) if (!byNumber.has(entry.number)) byNumber.set(entry.number, entry);
    entryCache.set(entries, byNumber);
  }
  return byNumber;
}

/** One number, one visitor. */
function checkUnique(stories: readonly Story[]): Violation[] {
  const found: Violation[] = [];
  const owners = new Map<string, { story: Story; step: Step }>();
  for (const story of stories) {
    const own = new Set<number>();
    for (const step of story.steps) {
      const { number } = step.said;
      if (number === undefined || own.has(number)) continue;
      own.add(number);
      const key = `${story.eventId} ${number}`;
      const other = owners.get(key);
      if (other === undefined) owners.set(key, { story, step });
      else
        found.push({
          promise: 'L05',
          text: `${story.visitor} and ${other.story.visitor} both have number ${number} in ${story.eventId}`,
          at: step.asked.at,
          evidence: [other.step.asked, step.asked],
        });
    }
  }
  return found;
}

/** A join answered before another was sent has the lower number, unless numbers come from elsewhere. */
function checkJoinOrder(view: View, stories: readonly Story[]): Violation[] {
  const withOtherOrder = new Set(
    view.operated
      .filter(({ action, settings }) => action === 'tier1-on' || settings?.order === 'draw')
      .map(({ eventId }) => eventId),
  );
  const joins = new Map<string, Step[]>();
  for (const story of stories) {
    const first = story.steps[0];
    if (first === undefined || withOtherOrder.has(story.eventId) || first.said.number === undefined) continue;
    // Only the response to the very first request: a repeated one returns a place that was made earlier.
    if (first.asked !== story.all[0]) continue;
    const own = joins.get(story.eventId) ?? [];
    own.push(first);
    joins.set(story.eventId, own);
  }
  return [...joins.values()].flatMap(findInversion);
}

function findInversion(joins: readonly Step[]): Violation[] {
  const byAnswer = [...joins].sort((a, b) => a.asked.until - b.asked.until);
  const bySending = [...joins].sort((a, b) => a.asked.at - b.asked.at);
  const found: Violation[] = [];
  let answered = 0;
  let highest: Step | undefined;
  for (const step of bySending) {
    for (; answered < byAnswer.length && byAnswer[answered]!.asked.until < step.asked.at; answered += 1) {
      const one = byAnswer[answered]!;
      if (highest === undefined || one.said.number! > highest.said.number!) highest = one;
    }
    if (highest !== undefined && highest.said.number! > step.said.number!)
      found.push({
        promise: 'L02',
        text: `${step.asked.visitor} joined after ${highest.asked.visitor} and got ${step.said.number}, before ${highest.said.number}`,
        at: step.asked.at,
        evidence: [highest.asked, step.asked],
      });
  }
  return found;
}

/** All answers to one key name one place. */
function checkKeys(stories: readonly Story[]): Violation[] {
  return stories.flatMap((story) => {
    const places = new Map<string, Step>();
    const found: Violation[] = [];
    for (const step of story.steps) {
      const { key } = step.asked;
      if (key === undefined || step.said.place === undefined) continue;
      const first = places.get(key);
      if (first === undefined) places.set(key, step);
      else if (first.said.place !== step.said.place)
        found.push(violation('L18', story, first, step, 'repeated a join with its key and got another place'));
    }
    return found;
  });
}

function violation(promise: Violation['promise'], story: Story, known: Step, step: Step, what: string): Violation {
  const number = known.said.number === undefined ? '' : ` with number ${known.said.number}`;
  return {
    promise,
    text: `${story.visitor}${number} in ${story.eventId} ${what}`,
    at: step.asked.at,
    evidence: [known.asked, step.asked],
  };
}

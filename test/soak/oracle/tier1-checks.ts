/** Promises about numbers of tier 1 and about draws. */
import { createHash } from 'node:crypto';
import type { Asked, DrawEnd, Operated } from '../history.ts';
import { LATE_EFFECT_MS, type Story } from './places.ts';
import { groupBy, isDisturbed, mayHaveForgotten, type View } from './view.ts';
import type { Violation } from './violation.ts';

export function checkTier1(view: View, stories: readonly Story[]): Violation[] {
  const switched = groupBy(
    view.operated.filter(({ action }) => action === 'tier1-on' || action === 'tier1-off'),
    ({ eventId }) => eventId,
  );
  return [...switched].flatMap(([eventId, switches]) => {
    const own = stories.filter((story) => story.eventId === eventId);
    return own.flatMap((story) => [...checkRequired(switches, story), ...checkNumber(view, switches, story)]);
  });
}

/** All processes follow a switch within two seconds. */
const FOLLOW_MS = 3_000;

interface Span {
  from: number;
  to: number;
}

/** Times in which tier 1 was certainly on, everywhere. A request to switch it off that got no answer may be carried out later. */
function spansOn(switches: readonly Operated[]): Span[] {
  return switches.flatMap(({ action, status, until }, no) => {
    if (action !== 'tier1-on' || status !== 200) return [];
    const to = switches[no + 1]?.at ?? Number.POSITIVE_INFINITY;
    const lateOffs = switches.slice(0, no).filter((one) => one.action === 'tier1-off' && one.status === 0);
    const from = Math.max(until + FOLLOW_MS, ...lateOffs.map((off) => off.until + LATE_EFFECT_MS + FOLLOW_MS));
    return [{ from, to }];
  });
}

/** A visitor who never took a number does not get a place while tier 1 is on. */
function checkRequired(switches: readonly Operated[], story: Story): Violation[] {
  const spans = spansOn(switches);
  const first = story.steps[0];
  if (first === undefined || first.asked.action !== 'join') return [];
  const hasNumber = story.all.some(
    ({ action, said, at }) => action === 'assign' && said !== undefined && at < first.asked.at,
  );
  // A join sent earlier, whose response was lost, may have made the place.
  const sentFirst = story.all.find(({ action }) => action === 'join') ?? first.asked;
  const isOn = spans.some(({ from, to }) => sentFirst.at > from && first.asked.until < to);
  if (hasNumber || !isOn) return [];
  const text = `${story.visitor} joined ${story.eventId} without a number while tier 1 was on`;
  return [{ promise: 'L19', text, at: first.asked.at, evidence: [first.asked] }];
}

function checkNumber(view: View, switches: readonly Operated[], story: Story): Violation[] {
  const first = story.steps[0];
  const assigned = story.all.filter(({ action, said }) => action === 'assign' && said?.number !== undefined).at(-1);
  if (first?.said.number === undefined || assigned === undefined || assigned.until > first.asked.at) return [];
  const isOn = spansOn(switches).some(({ from, to }) => assigned.at > from && first.asked.until < to);
  if (!isOn || first.said.number === assigned.said!.number) return [];
  // A visitor who has a place keeps it; its number is then one from before the assignment.
  if (first.said.number < assigned.said!.number! && mayHaveJoinedBefore(story, assigned)) return [];
  // A failover may assign the last few numbers twice; one of the two then takes a new one.
  if (
    mayHaveForgotten(view, assigned.at, first.asked.until) ||
    isDisturbed(view, assigned.at, assigned.until, ['redis'])
  )
    return [];
  const text = `${story.visitor} had number ${assigned.said!.number} of tier 1 and got ${first.said.number} in the line`;
  return [{ promise: 'L20', text, at: first.asked.at, evidence: [assigned, first.asked] }];
}

/** Whether a join that was sent before and got no answer, or no clear one, may have made a place. */
function mayHaveJoinedBefore(story: Story, assigned: Asked): boolean {
  return story.all.some(
    ({ action, at, status }) => action === 'join' && at < assigned.at && (status === 0 || status >= 500),
  );
}

export function checkDraws(view: View, stories: readonly Story[]): Violation[] {
  return [...checkLots(view, stories), ...(view.end?.draws ?? []).flatMap((draw) => checkDraw(view, draw, stories))];
}

/** A lot is computed from the id of the visitor: a guest who signs in has that of the user. */
function checkLots(view: View, stories: readonly Story[]): Violation[] {
  const signedIn = signedInOf(view);
  return stories.flatMap((story) => {
    const [first, ...others] = story.steps.filter(({ said }) => said.lot !== undefined);
    const other = others.find(({ said }) => said.lot !== first!.said.lot);
    if (first === undefined || other === undefined || signedIn.has(story.visitor)) return [];
    const text = `${story.visitor} had the lot ${first.said.lot} in ${story.eventId} and then ${other.said.lot}`;
    return [{ promise: 'L22' as const, text, at: other.asked.at, evidence: [first.asked, other.asked] }];
  });
}

function checkDraw(view: View, draw: DrawEnd, stories: readonly Story[]): Violation[] {
  const commitment = sha256(Buffer.from(draw.seed, 'hex')).toString('hex');
  if (commitment !== draw.commitment || draw.announced !== draw.commitment)
    return [{ promise: 'L22', text: `the seed of ${draw.eventId} does not match its commitment`, at: 0, evidence: [] }];
  const numbers = drawnNumbers(draw);
  const signedIn = signedInOf(view);
  return stories
    .filter(({ eventId }) => eventId === draw.eventId)
    .flatMap((story) => {
      const step = story.steps.find(({ said }) => said.lot !== undefined && said.number !== undefined);
      const drawn = step === undefined ? undefined : numbers.get(step.said.lot!);
      // Who signed in keeps the number that the lot of the guest got.
      if (signedIn.has(story.visitor)) return [];
      // Who came after the draw, or was silent at it, is not on the list.
      if (step === undefined || drawn === undefined || drawn === step.said.number) return [];
      const text = `${story.visitor} got number ${step.said.number} in ${draw.eventId}; the draw gives their lot ${drawn}`;
      return [{ promise: 'L21' as const, text, at: step.asked.at, evidence: [step.asked] }];
    });
}

function signedInOf(view: View): Set<string | undefined> {
  return new Set(view.operated.filter(({ action }) => action === 'sign-in').map(({ visitor }) => visitor));
}

/** As docs/explanation/draw.md says. */
export function drawnNumbers({ seed, firstNumber, lots }: DrawEnd): Map<string, number> {
  const listHash = sha256(
    Buffer.from(
      [...lots]
        .sort()
        .map((lot) => `${lot}\n`)
        .join(''),
    ),
  );
  const drawKey = sha256(Buffer.concat([Buffer.from(seed, 'hex'), listHash]));
  const keyed = lots.map((lot) => ({ lot, key: sha256(Buffer.concat([drawKey, Buffer.from(lot)])).toString('hex') }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.lot < b.lot ? -1 : 1));
  return new Map(keyed.map(({ lot }, index) => [lot, firstNumber + index]));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Promises about admissions: told once and for all, with one token, to those whose turn it is. */
import type { Asked } from '../history.ts';
import { MARGIN_MS, mayBeOver, mayHaveEnded, type Step, type Story, type Terms } from './places.ts';
import { pausesOf } from './rooms.ts';
import { mayHaveForgotten, type View } from './view.ts';
import type { Violation } from './violation.ts';

export function checkAdmissions(view: View, stories: readonly Story[], terms: Terms): Violation[] {
  return [
    ...stories.flatMap((story) => checkBackwards(view, story, terms)),
    ...stories.flatMap((story) => checkTokens(view, story, terms)),
    ...stories.flatMap((story) => checkPromise(view, story)),
    ...checkStream(view),
    ...checkPauses(view),
    ...checkForged(view, stories),
  ];
}

/** Told inside, then told waiting. */
function checkBackwards(view: View, story: Story, terms: Terms): Violation[] {
  const found: Violation[] = [];
  let inside: Step | undefined;
  for (const step of story.steps) {
    const { asked, said } = step;
    if (said.state === 'inside') inside = inside === undefined || asked.until > inside.asked.until ? step : inside;
    else if (said.state === 'gone') inside = undefined;
    else if (inside !== undefined && asked.at > inside.asked.until && said.state !== 'ready') {
      const [from, to] = [inside.asked.at, asked.until];
      const isNewPlace = said.number !== undefined && said.number !== inside.said.number;
      if (mayHaveEnded(story, from, to) || mayBeOver(inside, to, terms) || mayHaveForgotten(view, from, to))
        inside = undefined;
      else if (!isNewPlace)
        found.push({
          promise: 'L09',
          text: `${story.visitor} was told that they are inside by ${inside.asked.process}, and ${asked.at - inside.asked.until} ms later that they wait by ${asked.process} (${asked.action})`,
          at: asked.at,
          evidence: [inside.asked, asked],
        });
    }
  }
  return found;
}

function checkTokens(view: View, story: Story, terms: Terms): Violation[] {
  const found: Violation[] = [];
  let known: Step | undefined;
  for (const step of story.steps) {
    const { asked, said } = step;
    if (said.state === 'gone') known = undefined;
    if (said.tokenId === undefined) continue;
    if (known !== undefined && said.tokenId !== known.said.tokenId && asked.at > known.asked.until) {
      const [from, to] = [known.asked.at, asked.until];
      const isExcused =
        mayHaveEnded(story, from, to) || mayBeOver(known, to, terms) || mayHaveForgotten(view, from, to);
      if (!isExcused)
        found.push({
          promise: 'L11',
          text: `${story.visitor} got the token ${known.said.tokenId} and then ${said.tokenId} for one admission`,
          at: asked.at,
          evidence: [known.asked, asked],
        });
    }
    known = step;
  }
  return found;
}

/** Ready, and in time: granted. Nobody who was never ready: not granted. */
function checkPromise(view: View, story: Story): Violation[] {
  const found: Violation[] = [];
  let ready: Step | undefined;
  for (const asked of story.all) {
    const { said } = asked;
    if (said?.state === 'ready' && said.enterBy !== undefined) ready = { asked, said };
    if (asked.action !== 'enter' || asked.status === 0) continue;
    const isRefused = asked.status === 403 || asked.status === 410;
    if (
      ready !== undefined &&
      isRefused &&
      asked.at > ready.asked.until &&
      asked.until < ready.said.enterBy! - MARGIN_MS
    ) {
      const [from, to] = [ready.asked.at, asked.until];
      if (!mayHaveEnded(story, from, to) && !mayHaveForgotten(view, from, to))
        found.push(promiseBroken('L15', story, ready.asked, asked, 'was ready, entered in time and was refused'));
    }
    if (
      asked.status === 200 &&
      ready === undefined &&
      wasJustWaiting(story, asked) &&
      !hasEntryBefore(view, story, asked)
    )
      found.push(promiseBroken('L16', story, undefined, asked, 'was granted entry though nobody had made them ready'));
  }
  return found;
}

/** Whether the last thing that this visitor was told before is to wait. */
function wasJustWaiting(story: Story, asked: Asked): boolean {
  const before = story.steps.filter(({ asked: { until } }) => until < asked.at).at(-1);
  return before?.said.state === 'waiting';
}

/** An admission by a tick that the visitor was not told about yet. The claim door tells no numbers, so any of the room counts. */
function hasEntryBefore(view: View, story: Story, asked: Asked): boolean {
  const joinedAt = story.all[0]!.at;
  return (view.entries.get(story.eventId) ?? []).some(({ at }) => at >= joinedAt - MARGIN_MS && at <= asked.until);
}

function promiseBroken(
  promise: 'L15' | 'L16',
  story: Story,
  ready: Asked | undefined,
  asked: Asked,
  what: string,
): Violation {
  const evidence = ready === undefined ? [asked] : [ready, asked];
  return {
    promise,
    text: `${story.visitor} in ${story.eventId} ${what} (${asked.code ?? asked.status})`,
    at: asked.at,
    evidence,
  };
}

/** A number is admitted once. */
function checkStream(view: View): Violation[] {
  return [...view.entries.values()].flatMap((entries) => {
    const seen = new Map<number, (typeof entries)[number]>();
    const found: Violation[] = [];
    for (const entry of entries) {
      const first = seen.get(entry.number);
      if (first === undefined) seen.set(entry.number, entry);
      else
        found.push({
          promise: 'L13',
          text: `number ${entry.number} of ${entry.eventId} was admitted twice, ${entry.at - first.at} ms apart`,
          at: entry.at,
          evidence: [first, entry],
        });
    }
    return found;
  });
}

function checkPauses(view: View): Violation[] {
  return pausesOf(view).flatMap(({ eventId, from, to, operated }) => {
    const entry = (view.entries.get(eventId) ?? []).find(({ at }) => at > from + 1 && at < to - 1);
    if (entry === undefined) return [];
    const text = `number ${entry.number} of ${eventId} was admitted while the room was paused`;
    return [{ promise: 'L17' as const, text, at: entry.at, evidence: [operated, entry] }];
  });
}

/** A token id that only a forged token carries never comes back as an admission. */
function checkForged(view: View, stories: readonly Story[]): Violation[] {
  const held = view.shop
    .filter(({ action, status, tokenId }) => action === 'hold' && status < 300 && status > 0 && tokenId === 'forged')
    .map((asked) => ({
      promise: 'L12' as const,
      text: `${asked.visitor} held seats with a forged entry token`,
      at: asked.at,
      evidence: [asked],
    }));
  const told = stories.flatMap((story) =>
    story.steps
      .filter(({ said }) => said.tokenId === 'mine')
      .map(({ asked }) => ({
        promise: 'L12' as const,
        text: `${story.visitor} is inside with the id of a forged token`,
        at: asked.at,
        evidence: [asked],
      })),
  );
  return [...held, ...told];
}

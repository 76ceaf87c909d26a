/** Promises about failures: what visitors notice while something is away, and that it all comes back. */
import type { Asked, Faulted, HistoryEntry, ShopAsked } from '../history.ts';
import type { Story } from './places.ts';
import { type View, wasHit } from './view.ts';
import type { Violation } from './violation.ts';

export function checkService(view: View, stories: readonly Story[]): Violation[] {
  return [
    ...checkErrors(view),
    ...checkKnownPages(view, stories),
    ...checkStreams(view),
    ...checkReadiness(view),
    ...checkRecovery(view),
    ...checkComplaints(view),
    ...checkStrangers(view),
    ...checkCounts(view, stories),
  ];
}

function checkErrors(view: View): Violation[] {
  const all: (Asked | ShopAsked)[] = [...view.asked, ...view.shop];
  const operated = view.operated
    .filter(({ status }) => status >= 500 && status !== 503)
    .map((one) => ({
      promise: 'R01' as const,
      text: `an operator's change of ${one.eventId} (${one.action}) got ${one.status}`,
      at: one.at,
      evidence: [one],
    }));
  const found = all.flatMap((asked): Violation[] => {
    const isShop = asked.kind === 'shop';
    const what = `${asked.action} of ${asked.visitor} got ${asked.status} ${asked.code ?? ''} from ${asked.process}`;
    if (asked.status === 503 && !(asked.retryAfter !== undefined && asked.retryAfter >= 0))
      return [{ promise: isShop ? 'S11' : 'R02', text: `${what}without Retry-After`, at: asked.at, evidence: [asked] }];
    if (asked.status >= 500 && asked.status !== 503)
      return [{ promise: isShop ? 'S11' : 'R01', text: what, at: asked.at, evidence: [asked] }];
    // The line does not need the database.
    const isWrong = !isShop && asked.code === 'STORE_UNAVAILABLE' && !didNotRun(view, asked);
    if (isWrong && onlyOf(view, asked.at, asked.until, ['postgres', 'kafka']))
      return [
        {
          promise: 'S10',
          text: `${what} though only the database or the log was away`,
          at: asked.at,
          evidence: [asked],
        },
      ];
    return [];
  });
  return [...operated, ...found];
}

/** A store counts as away after less than a second: one that gets no CPU time for that long cannot be told from one that hangs. */
const GIVEN_UP_MS = 1_000;

/** Whether the process that answered, or the observer, stood still just before the answer. */
function didNotRun({ stalls }: View, { process, at, until }: Asked | ShopAsked): boolean {
  return stalls.some(
    (stall) =>
      (stall.process === process || stall.process === 'observer') &&
      stall.at <= until &&
      stall.until >= Math.min(at, until - GIVEN_UP_MS),
  );
}

/** Whether faults of these areas were under way at this time, and none of others had ended less than 15 s before. */
function onlyOf(view: View, from: number, to: number, areas: readonly string[]): boolean {
  const near = view.faults.filter(({ at, until }) => at - 500 <= to && until + 15_000 >= from);
  return near.some(({ at, until }) => at <= from && until >= to) && near.every(({ area }) => areas.includes(area));
}

/** Faults during which Redis certainly cannot be reached, once they have begun. */
const AWAY = /^redis-(?:kill|stop|blackhole|cut)$/;
/** A process cannot remember for ever whom it told to wait. */
const KNOWN_MS = 60_000;

/**
 * A visitor who was told to wait by this start of the process gets the page from its memory. One who was admitted in the meantime, or
 * presents an entry token, is asked about, so 503 is right for them. A process that was busy or stopped just before Redis
 * went away answers 503 too: it did not look at the line in the last 150 ms. Where the machine was busy, nothing is expected; nobody
 * can see a single process from outside, so elsewhere most, not all, must keep the page.
 */
function checkKnownPages(view: View, stories: readonly Story[]): Violation[] {
  const outages = view.faults.filter((fault) => AWAY.test(fault.fault) && fault.isClean && !wasBusy(view, fault.at));
  if (outages.length === 0) return [];
  const lost = stories.flatMap((story) => findLostPages(outages, story));
  const kept = stories.flatMap(({ all }) =>
    all.filter((asked) => isPoll(asked) && asked.said?.state === 'waiting' && outageAt(outages, asked) !== undefined),
  );
  return lost.length <= kept.length ? [] : lost;
}

/** How long a fault takes to begin, and how long before it a process must have looked. */
const BEGINS_MS = 500;

function wasBusy({ late }: View, when: number): boolean {
  return late.some(({ at, until }) => at <= when + BEGINS_MS && until >= when - BEGINS_MS);
}

const isPoll = ({ action }: Asked): boolean => action === 'status' || action === 'heartbeat';
const outageAt = (outages: View['faults'], asked: Asked) =>
  outages.find(({ at, until }) => asked.at > at && asked.until < until);

function findLostPages(outages: View['faults'], story: Story): Violation[] {
  return story.all.flatMap((asked, no): Violation[] => {
    if (asked.status !== 503 || !isPoll(asked)) return [];
    const outage = outageAt(outages, asked);
    if (outage === undefined) return [];
    const known = story.all
      .slice(0, no)
      .findLast(({ process, said }) => process === asked.process && said?.state === 'waiting');
    const next = story.all.slice(no + 1).find(({ said }) => said !== undefined);
    const others = story.all.slice(0, no).some(({ said }) => said?.state === 'inside' || said?.state === 'gone');
    // Waiting again when Redis is back: the ruler cannot have passed them.
    if (known === undefined || others || next?.said?.state !== 'waiting' || next.at < outage.until) return [];
    if (outage.at - known.until > KNOWN_MS) return [];
    const text = `${story.visitor} waited at ${asked.process} and got 503 while Redis was away`;
    return [{ promise: 'R03', text, at: asked.at, evidence: [known, asked, next] }];
  });
}

function checkStreams(view: View): Violation[] {
  return view.asked
    .filter(({ action, process, at }) => action === 'stream-end' && !wasHit(view, process, at - 5_000, at))
    .map((asked) => ({
      promise: 'R04' as const,
      text: `the stream of ${asked.visitor} at ${asked.process} broke though its process lived`,
      at: asked.at,
      evidence: [asked],
    }));
}

function checkReadiness(view: View): Violation[] {
  return view.readiness
    .filter(({ status, reason }) => status === 503 && (reason === undefined || reason === ''))
    .map((seen) => ({
      promise: 'R05' as const,
      text: `${seen.process} is not ready and gives no reason`,
      at: seen.at,
      evidence: [seen],
    }));
}

/** Generous: a busy machine is no violation. The verdict's table has the times. Faults that overlap delay each other. */
export const LONGEST_RECOVERY_MS = 60_000;

function checkRecovery(view: View): Violation[] {
  return view.faults.flatMap((fault: Faulted): Violation[] => {
    const took = (fault.recoveredAt ?? Number.POSITIVE_INFINITY) - (fault.healsFrom ?? fault.until);
    if (took <= LONGEST_RECOVERY_MS || !fault.isClean) return [];
    const text =
      fault.recoveredAt === undefined
        ? `the system did not serve again after ${fault.fault} of ${fault.target}`
        : `the system took ${took} ms to serve again after ${fault.fault} of ${fault.target}`;
    return [{ promise: 'R06', text, at: fault.until, evidence: [fault] }];
  });
}

function checkComplaints(view: View): Violation[] {
  return view.complaints.map((complaint) => ({
    promise: 'R08' as const,
    text: `${complaint.process}: ${complaint.text.slice(0, 300)}`,
    at: complaint.at,
    evidence: [complaint],
  }));
}

function checkStrangers(view: View): Violation[] {
  const answered = view.asked.filter(
    ({ eventId, status }) => eventId.startsWith('unknown-') && status !== 0 && status !== 404 && status !== 503,
  );
  const traces = view.end?.strayKeys ?? [];
  const evidence: HistoryEntry[] = [];
  return [
    ...answered.map((asked) => ({
      promise: 'L14' as const,
      text: `a join of the unknown event ${asked.eventId} got ${asked.status}`,
      at: asked.at,
      evidence: [asked] as HistoryEntry[],
    })),
    ...traces.map((key) => ({
      promise: 'L14' as const,
      text: `the store has the key ${key} of an event without a room`,
      at: view.end!.at,
      evidence,
    })),
  ];
}

/** Joins that the processes reported as new, by the records of traffic. */
function checkCounts(view: View, stories: readonly Story[]): Violation[] {
  if (view.end?.joins === undefined) return [];
  return view.end.joins.flatMap(({ eventId, counted, mayBeIncomplete }): Violation[] => {
    const numbers = new Set<number>();
    for (const story of stories)
      if (story.eventId === eventId)
        for (const { said } of story.steps) if (said.number !== undefined) numbers.add(said.number);
    // One whose request was not answered may have a place that nobody was told of, or that nobody counted.
    const untold = stories.filter(
      (story) => story.eventId === eventId && story.all.some(({ status }) => status === 0 || status === 503),
    ).length;
    const isTooMany = counted > numbers.size + untold;
    // A call that was never answered may have made the place that the next one finds.
    const isTooFew = !mayBeIncomplete && counted < numbers.size - untold;
    if (!isTooMany && !isTooFew) return [];
    const text = `${counted} joins of ${eventId} were counted as new, and ${numbers.size} places were made`;
    return [{ promise: 'R09', text, at: view.end!.at, evidence: [] }];
  });
}

/**
 * Keeps the sessions of visitors who pass the gate. A visitor is reported to the line at most once in a tenth of the
 * session, in batches; a token that has less than half of its time left is renewed on the way. While the line is away,
 * reports are kept and tokens are good for their own time. Uses no Node APIs.
 */
import type { Entry } from '../../line/tokens/entry-pass.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { isInTime } from '../decision/judge-entry.ts';
import { MOST_SESSIONS, type ReportSessions, type SessionAnswer, type SessionReport } from './session-report.ts';

export interface SessionKeeperOptions {
  report: ReportSessions;
  /** The clock that the tokens' times are compared with. */
  now: () => number;
  /** The shortest time between two reports. 0: each report leaves at once, also beside another one. */
  everyMs?: number;
  /** The runtime works only while it handles a request: each request reports for itself, and no timer is used. */
  withinRequests?: boolean;
  counts?: SessionCounts;
  /** Whether scripts may read the cookie of a renewed token. */
  readableCookie?: boolean;
  /** Called with undefined when the line can be asked again. */
  onAway?: (error: Error | undefined) => void;
}

/** What happens to sessions, for metrics. */
export interface SessionCounts {
  sent(signs: number): void;
  /** Signs that were given up: too many were waiting for the line, or the token expired first. */
  dropped(signs: number): void;
  /** `line`: found ended there; `site`: ended by the site. */
  ended(by: 'line' | 'site'): void;
}

export type Renewal =
  | { outcome: 'none' }
  | { outcome: 'renewed'; token: string; expiresAt: number }
  | { outcome: 'ended' };

/** What is known about one session. */
interface Known {
  key: string;
  nextSignAt: number;
  /** While a report is under way: when to stop waiting for it. A runtime may drop one without an error. */
  answerBy: number | undefined;
  latest: Extract<SessionAnswer, { outcome: 'stands' }> | undefined;
  /** Requests that wait for the answer. */
  waiters: (() => void)[];
}

interface Sign {
  known: Known;
  entry: Entry;
  at: number;
}

type Release = SessionReport['ended'][number];

const DEFAULT_EVERY_MS = 100;
/** A request waits no longer than this for a renewed token. */
const LONGEST_WAIT_MS = 500;
const RETRY_MS = 1_000;
/** Longer than a report and its retry take. */
const ANSWER_WITHIN_MS = 10_000;
const SIGNS_PER_SESSION = 10;
const REMEMBERED = 50_000;
/** A session that is seen again after that is reported again. */
const UNUSED_MS = 300_000;
const ENDED_REMEMBERED = 100_000;
const EVENTS_REMEMBERED = 1_000;
const MOST_WAITING = 10_000;
const NONE: Renewal = { outcome: 'none' };
const ENDED: Renewal = { outcome: 'ended' };

export class SessionKeeper {
  readonly readableCookie: boolean;
  readonly #options: SessionKeeperOptions;
  readonly #everyMs: number;
  readonly #known = new RecentMap<Known>(REMEMBERED, { unusedMs: UNUSED_MS });
  readonly #ended = new RecentMap<true>(ENDED_REMEMBERED);
  /** The session length of each event, as the line has said it. */
  readonly #lengths = new RecentMap<number>(EVENTS_REMEMBERED);
  #signs = new Map<string, Sign>();
  #releases = new Map<string, Release>();
  #hasEnded = false;
  #isAway = false;
  readonly #reports = new Set<Promise<void>>();
  #nextReportAt = 0;
  #isScheduled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    this.readableCookie = options.readableCookie ?? false;
    this.#everyMs = options.withinRequests ? 0 : (options.everyMs ?? DEFAULT_EVERY_MS);
  }

  /** Whether the line or the site has ended the session. */
  hasEnded(entry: Entry): boolean {
    return this.#hasEnded && this.#ended.get(keyOf(entry)) === true;
  }

  /** Notes that the visitor is here. A promise: the request should wait for it, because its token needs renewal. */
  see(entry: Entry): Renewal | Promise<Renewal> {
    const now = this.#options.now();
    const known = this.#recall(keyOf(entry));
    if (now >= (known.answerBy ?? known.nextSignAt)) this.#sign(known, entry, now);
    else if (this.#options.withinRequests) this.#scheduleWaiting();
    const half = (this.#lengths.get(entry.eventId) ?? Number.POSITIVE_INFINITY) / 2;
    if (entry.expiresAt - now >= half) return NONE;
    const { latest } = known;
    const hasFresh = latest !== undefined && latest.expiresAt - now >= half;
    if (hasFresh || known.answerBy === undefined || this.#isAway) return toRenewal(entry, latest);
    return this.#answerOf(known, entry);
  }

  /** The site has ended the session: the line is told, and the token is refused from now on. */
  end(session: Release): void {
    const key = keyOf(session);
    if (session.tokenId !== undefined) this.markEnded(session);
    this.#options.counts?.ended('site');
    const { eventId, visitor, tokenId } = session;
    this.#releases.set(key, { eventId, visitor, ...(tokenId === undefined ? {} : { tokenId }) });
    this.#signs.delete(key);
    if (this.#releases.size > MOST_WAITING) dropOldest(this.#releases);
    this.#schedule();
  }

  /** The session has ended, and the line knows. */
  markEnded(session: Release): void {
    this.#ended.set(keyOf(session), true);
    this.#hasEnded = true;
  }

  /** Resolves when the reports under way are answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#reports);
  }

  /** Sends what waits, once. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send();
    await this.settled();
    clearTimeout(this.#timer);
  }

  #recall(key: string): Known {
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const known: Known = { key, nextSignAt: 0, answerBy: undefined, latest: undefined, waiters: [] };
    this.#known.set(key, known);
    return known;
  }

  #sign(known: Known, entry: Entry, at: number): void {
    known.answerBy = at + ANSWER_WITHIN_MS;
    this.#signs.set(known.key, { known, entry, at });
    if (this.#signs.size > MOST_WAITING) this.#drop(dropOldest(this.#signs)!);
    this.#schedule();
  }

  #answerOf(known: Known, entry: Entry): Promise<Renewal> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        resolve(this.hasEnded(entry) ? ENDED : toRenewal(entry, known.latest));
      };
      const timer = setTimeout(settle, LONGEST_WAIT_MS);
      known.waiters.push(settle);
    });
  }

  /** The first report after a pause leaves in this turn; those that follow are collected. */
  #schedule(): void {
    if (this.#isScheduled || this.#timer !== undefined || (this.#everyMs > 0 && this.#reports.size > 0)) return;
    const waitMs = this.#nextReportAt - performance.now();
    if (waitMs > 0) {
      if (this.#options.withinRequests) return;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#send();
      }, waitMs);
      // On Node it must not keep the process alive; elsewhere it is a number.
      (this.#timer as { unref?: () => void }).unref?.();
      return;
    }
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      // Another report may have failed since.
      if (this.#nextReportAt > performance.now()) this.#schedule();
      else this.#send();
    });
  }

  /** What has failed before. */
  #scheduleWaiting(): void {
    if (this.#signs.size > 0 || this.#releases.size > 0) this.#schedule();
  }

  #send(): void {
    const signs = this.#takeSigns();
    const releases = take(this.#releases, MOST_SESSIONS);
    if (signs.length === 0 && releases.length === 0) return;
    this.#nextReportAt = performance.now() + this.#everyMs;
    const report = this.#report(signs, releases).finally(() => {
      this.#reports.delete(report);
      this.#scheduleWaiting();
    });
    this.#reports.add(report);
  }

  async #report(signs: readonly Sign[], releases: readonly [string, Release][]): Promise<void> {
    try {
      const seen = signs.map(({ entry: { eventId, visitor, tokenId } }) => ({ eventId, visitor, tokenId }));
      const answers = await this.#options.report({ seen, ended: releases.map(([, release]) => release) });
      this.#options.counts?.sent(signs.length);
      this.#setAway(undefined);
      for (const [index, sign] of signs.entries()) this.#note(sign, answers[index]);
    } catch (error) {
      this.#nextReportAt = performance.now() + RETRY_MS;
      this.#setAway(error as Error);
      this.#putBack(signs, releases);
    }
  }

  #takeSigns(): Sign[] {
    const now = this.#options.now();
    const current: Sign[] = [];
    for (const [, sign] of take(this.#signs, MOST_SESSIONS)) {
      if (isInTime(sign.entry, now)) current.push(sign);
      else this.#drop(sign);
    }
    return current;
  }

  #note({ known, entry, at }: Sign, answer: SessionAnswer | undefined): void {
    known.answerBy = undefined;
    if (answer?.outcome === 'stands') {
      known.latest = answer;
      known.nextSignAt = at + answer.sessionMs / SIGNS_PER_SESSION;
      this.#lengths.set(entry.eventId, answer.sessionMs);
    } else if (answer?.outcome === 'ended' && !this.hasEnded(entry)) {
      known.latest = undefined;
      this.#options.counts?.ended('line');
      this.markEnded(entry);
    }
    release(known);
  }

  /** In front of those that came since. Nobody waits for them any longer. */
  #putBack(signs: readonly Sign[], releases: readonly [string, Release][]): void {
    this.#signs = new Map([...signs.map((sign) => [sign.known.key, sign] as const), ...this.#signs]);
    this.#releases = new Map([...releases, ...this.#releases]);
    while (this.#signs.size > MOST_WAITING) this.#drop(dropOldest(this.#signs)!);
    while (this.#releases.size > MOST_WAITING) dropOldest(this.#releases);
    for (const { known } of this.#signs.values()) release(known);
  }

  #drop({ known }: Sign): void {
    known.answerBy = undefined;
    this.#options.counts?.dropped(1);
    release(known);
  }

  #setAway(error: Error | undefined): void {
    const isAway = error !== undefined;
    if (isAway !== this.#isAway) this.#options.onAway?.(error);
    this.#isAway = isAway;
  }
}

/** By visitor too: after a sign-in, the session of a guest goes on under the name of the account. */
function keyOf({ tokenId = '', eventId, visitor }: Release): string {
  return `${tokenId} ${eventId} ${visitor}`;
}

/** Only a token that lasts longer: at the longest session length the line cannot renew any more. */
function toRenewal({ expiresAt }: Entry, latest: Known['latest']): Renewal {
  // A token's time is in whole seconds.
  if (latest?.token === undefined || latest.expiresAt < expiresAt + 1_000) return NONE;
  return { outcome: 'renewed', token: latest.token, expiresAt: latest.expiresAt };
}

function release(known: Known): void {
  for (const settle of known.waiters.splice(0)) settle();
}

function take<T>(map: Map<string, T>, most: number): [string, T][] {
  const taken: [string, T][] = [];
  for (const item of map) {
    if (taken.length === most) break;
    taken.push(item);
  }
  for (const [key] of taken) map.delete(key);
  return taken;
}

function dropOldest<T>(map: Map<string, T>): T | undefined {
  for (const [key, value] of map) {
    map.delete(key);
    return value;
  }
  return undefined;
}

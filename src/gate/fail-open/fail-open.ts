/**
 * What a gate does with visitors without a token while the line cannot be asked. Closed by default: they get an honest
 * page instead of a redirect to a waiting page that does not answer. A room with `failOpen` lets a bounded trickle pass,
 * with signed and marked passes. Uses no Node APIs.
 */
import type { ErrorCode } from '../../http/errors.ts';
import type { Pass, Refusal } from '../decision/decision.ts';
import type { GateRequest, VerificationKeys } from '../decision/gate-request.ts';
import type { AccessJudge } from '../decision/judge-access.ts';
import { deny } from '../decision/refuse.ts';
import { readTarget } from '../decision/request-target.ts';
import type { GateRoom, LineWatch } from '../lookups/line-watch.ts';
import {
  isOwner,
  type OpenPass,
  type OpenPasses,
  ownerOf,
  readOpenPass,
  toOpenCookie,
  visitorOf,
} from './open-pass.ts';
import { createBucket, endOf, stateAt, type TrickleBucket, tryTake } from './trickle.ts';

/** What a gate let pass in one outage, for operators. Times are in ms since 1970. */
export interface OutageReport {
  eventId: string;
  passed: number;
  perSecond: number;
  /** Since when the line could not be asked. */
  downSince: number;
  openedAt: number;
  closedAt: number;
}

export interface FailOpenOptions {
  watch: Pick<LineWatch, 'find' | 'rooms' | 'downSince'>;
  passes: OpenPasses;
  /** The part of `perSecond` that this process has; 1 unless several processes are one gate. */
  share?: number;
  /** Time of day in ms. */
  now: () => number;
  /** The monotonic clock of `watch`. */
  stopwatch: () => number;
  onOpened?: (eventId: string, setting: NonNullable<GateRoom['failOpen']>) => void;
  onClosed?: (report: OutageReport) => void;
  onPassed?: (eventId: string) => void;
}

/** A pass outlives the longest outage by this much, so that a purchase can be finished. */
const GRACE_MS = 300_000;
export const RETRY_SECONDS = 10;

/** Refusals for any other reason, such as a ban, stand. */
const LACKS_TOKEN = new Set<ErrorCode>([
  'ENTRY_TOKEN_REQUIRED',
  'ENTRY_TOKEN_INVALID',
  'VWR_REQUIRED',
  'VWR_TOKEN_INVALID',
]);

interface Opening {
  bucket: TrickleBucket;
  passed: number;
  perSecond: number;
  downSince: number;
  openedAt: number;
}

export class FailOpen {
  readonly #options: FailOpenOptions;
  readonly #share: number;
  /** By event: only of rooms that the line named. */
  readonly #open = new Map<string, Opening>();

  constructor(options: FailOpenOptions) {
    this.#options = options;
    this.#share = options.share ?? 1;
  }

  /** Opens and closes what is due. Called after every look at the line. */
  step(): void {
    const { watch, stopwatch } = this.#options;
    const [downSince, now] = [watch.downSince(), stopwatch()];
    for (const room of watch.rooms()) {
      const { eventId, failOpen } = room;
      const isOpen =
        downSince !== undefined && failOpen !== undefined && stateAt(failOpen, { downSince, now }) === 'open';
      if (isOpen) this.#openFor(room, downSince);
      else this.#close(eventId);
    }
    for (const eventId of this.#open.keys()) if (watch.find(eventId) === undefined) this.#close(eventId);
  }

  /** Replaces a refusal that would send the visitor to wait; undefined leaves it as it is. */
  async review(
    refusal: Refusal,
    request: GateRequest,
    keys: VerificationKeys,
    access: AccessJudge | undefined,
  ): Promise<Pass | Refusal | undefined> {
    if (refusal.waits === undefined || !LACKS_TOKEN.has(refusal.code)) return undefined;
    const { eventId } = refusal.waits;
    const downSince = this.#options.watch.downSince();
    const held = await this.#findPass(eventId, request, keys);
    // Without a token the decision did not know who it is. While the line answers, its page tells banned visitors.
    if (this.#isBanned(held?.eventId ?? eventId, request, keys, access)) {
      return downSince === undefined ? undefined : deny(403, 'BANNED');
    }
    if (held !== undefined) return toPass(held, request, []);
    if (downSince === undefined) return undefined;
    return (await this.#letPass(eventId, downSince, request, keys)) ?? toUnavailable(refusal, request);
  }

  #isBanned(
    eventId: string | undefined,
    { headers }: GateRequest,
    keys: VerificationKeys,
    access: AccessJudge | undefined,
  ): boolean {
    if (access?.excludesSome !== true) return false;
    const visitor = keys.caller(headers);
    const who = { visitor, address: undefined, now: this.#options.now() };
    return visitor !== undefined && access.findBan(eventId, who) !== undefined;
  }

  async #findPass(
    eventId: string | undefined,
    { headers }: GateRequest,
    keys: VerificationKeys,
  ): Promise<OpenPass | undefined> {
    const token = readOpenPass(headers);
    if (token === undefined) return undefined;
    const pass = await this.#options.passes.verify(token, this.#options.now());
    const isForEvent = pass !== undefined && (eventId === undefined || pass.eventId === eventId);
    return isForEvent && isOwner(pass, headers, keys) ? pass : undefined;
  }

  async #letPass(
    eventId: string | undefined,
    downSince: number,
    request: GateRequest,
    keys: VerificationKeys,
  ): Promise<Pass | undefined> {
    const { watch, passes, stopwatch, now, onPassed } = this.#options;
    const room = eventId === undefined ? undefined : watch.find(eventId);
    if (eventId === undefined || room?.failOpen === undefined) return undefined;
    if (stateAt(room.failOpen, { downSince, now: stopwatch() }) !== 'open') return undefined;
    const opening = this.#openFor(room, downSince);
    if (!tryTake(opening.bucket, room.failOpen, stopwatch(), this.#share)) return undefined;
    opening.passed += 1;
    onPassed?.(eventId);
    const lifeMs = endOf(room.failOpen, downSince) - stopwatch() + GRACE_MS;
    const pass: OpenPass = {
      eventId,
      passId: crypto.randomUUID(),
      ...ownerOf(request.headers, keys),
      expiresAt: now() + lifeMs,
    };
    const token = await passes.issue(pass, now());
    const secure = request.headers['x-forwarded-proto'] === 'https';
    return toPass(pass, request, [toOpenCookie(token, { maxAgeSeconds: Math.floor(lifeMs / 1000), secure })]);
  }

  #openFor({ eventId, failOpen }: GateRoom, downSince: number): Opening {
    const known = this.#open.get(eventId);
    // Another outage: the line was back in between, without a step that noticed.
    if (known !== undefined && known.downSince === downSince) return known;
    if (known !== undefined) this.#close(eventId);
    const openedAt = downSince + failOpen!.afterSeconds * 1_000;
    const bucket = createBucket(failOpen!, openedAt, this.#share);
    const opening = { bucket, passed: 0, perSecond: failOpen!.perSecond * this.#share, downSince, openedAt };
    this.#open.set(eventId, opening);
    this.#options.onOpened?.(eventId, failOpen!);
    return opening;
  }

  #close(eventId: string): void {
    const opening = this.#open.get(eventId);
    if (opening === undefined) return;
    this.#open.delete(eventId);
    const { now, stopwatch, onClosed } = this.#options;
    const closedAt = now();
    const toTimeOfDay = (at: number) => Math.round(closedAt - (stopwatch() - at));
    const { passed, perSecond, downSince, openedAt } = opening;
    const times = { downSince: toTimeOfDay(downSince), openedAt: toTimeOfDay(openedAt), closedAt };
    onClosed?.({ eventId, passed, perSecond, ...times });
  }
}

function toPass(pass: OpenPass, { target }: GateRequest, setCookies: readonly string[]): Pass {
  const read = readTarget(target);
  // A refusal to wait is only for a target that was clear.
  const normal = read.outcome === 'clear' ? read.normal : '/';
  return {
    outcome: 'pass',
    target: normal,
    require: 'none',
    eventId: pass.eventId,
    visitor: visitorOf(pass),
    kind: 'fail-open',
    strict: undefined,
    session: undefined,
    setCookies,
  };
}

function toUnavailable(refusal: Refusal, { headers }: GateRequest): Refusal {
  const languages = headers['accept-language'];
  const page = { languages: typeof languages === 'string' ? languages : undefined };
  return {
    outcome: 'deny',
    status: 503,
    code: 'LINE_UNAVAILABLE',
    retryAfterSeconds: RETRY_SECONDS,
    ...(refusal.outcome === 'redirect' ? { page } : {}),
  };
}

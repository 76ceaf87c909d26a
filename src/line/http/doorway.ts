/** What the three doors share: identify the visitor, give them a place, let them enter, take the place back. */
import { Type } from 'typebox';
import { AppError, type ErrorCode } from '../../http/errors.ts';
import { withWantedPage } from '../../http/wanted-page.ts';
import type { AddressWatch } from '../../identity/address-watch.ts';
import { GUEST_DAYS } from '../../identity/guests.ts';
import type { Identity } from '../../identity/identity.ts';
import { GUEST_COOKIE, type Visitor } from '../../identity/visitor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AnswerHead, Caller } from '../../platform/http-server/callers.ts';
import { type CookieName, readCookie, setCookie } from '../../platform/http-server/cookies.ts';
import { placeCookie } from '../../tier1/tokens/signed-places.ts';
import type { TokenExchange } from '../../tier1/tokens/token-exchange.ts';
import { VWR_COOKIE, type VwrPass } from '../../tier1/tokens/vwr-pass.ts';
import { type AccountRule, type Missing, missingOf } from '../account-rule.ts';
import type { DoorRule } from '../door-rule.ts';
import type { LineMetrics } from '../line-metrics.ts';
import type { LotSourceCounter } from '../lot-source-counter.ts';
import type { JoinRequest } from '../model/join-requests.ts';
import type { Crowd, InsideStanding, Standing } from '../model/standing.ts';
import type { Priority } from '../priority.ts';
import type { Rooms } from '../store/rooms.ts';
import type { JoinOutcome, LeaveOutcome, LookOutcome, Visits } from '../store/visits.ts';
import { ENTRY_COOKIE, ENTRY_HEADER } from '../tokens/entry-pass.ts';
import type { EntryTokens } from '../tokens/entry-tokens.ts';
import type { SignedPlace } from '../tokens/waiting-tokens.ts';
import type { PlaceLimits, Toll } from './place-limits.ts';

export interface DoorwayOptions {
  visits: Visits;
  rooms: Pick<Rooms, 'findRoom'>;
  identity: Identity;
  entryTokens: Pick<EntryTokens, 'issue' | 'verify'>;
  /** Verifies the tier 1 token that a visitor exchanges for a place. */
  tokenExchange: TokenExchange;
  /** Decides which newcomers go to the priority lane. */
  priority: Priority;
  /** Decides who may join a room that asks for accounts. */
  accountRule: AccountRule;
  /** Decides who may not join or wait at all. */
  doorRule: DoorRule;
  /** Counts where the lots of a draw come from. */
  lotSources: Pick<LotSourceCounter, 'note'>;
  /** Notices visitors who seem to share an address. */
  addressWatch: Pick<AddressWatch, 'noteJoin' | 'noteGuest'>;
  /** Whether visitors can sign in on this site. */
  hasSignIn: boolean;
  metrics: LineMetrics;
  limits: PlaceLimits;
  /** Whether cookies in the response carry the Secure flag. */
  isSecure: (request: Caller) => boolean;
  /** Whether scripts may read the entry cookie. */
  entryCookieReadable: boolean;
  clock: Clock;
}

export interface JoinHow {
  /** Identifies the request, so that a repeated one is recognized. */
  request?: JoinRequest | undefined;
  /** Whether a visitor who is ready enters at once. */
  enter?: boolean;
  /** The page that the visitor wanted; a visitor who must go elsewhere first keeps it. */
  wanted?: string | undefined;
}

export interface Joined {
  /** `duplicate`: the same request was made before. */
  outcome: 'joined' | 'already' | 'duplicate';
  visitor: Visitor;
  standing: Standing;
  crowd: Crowd;
}

export const LeaveAnswer = Type.Object({
  left: Type.Boolean({ description: 'false if the visitor had no place' }),
  status: Type.Literal('not_in_queue'),
});

/** Refusals of a caller whose credential is invalid, or who has none where guests are not allowed. */
export const visitorErrors: readonly ErrorCode[] = ['UNAUTHENTICATED', 'INVALID_TOKEN'];
/** Refusals of a visitor whom operators have excluded. */
export const excludedErrors: readonly ErrorCode[] = ['BANNED', 'NOT_ALLOWED'];
/** Refusals of a join, besides those of the caller. */
export const joinErrors: readonly ErrorCode[] = [
  ...excludedErrors,
  'ACCOUNT_REQUIRED',
  'CONFIRMED_ACCOUNT_REQUIRED',
  'VWR_REQUIRED',
  'EVENT_NOT_FOUND',
  'ROOM_CLOSED',
  'RATE_LIMITED',
];

const PLAIN_JOIN: JoinHow = {};
const WAS_ADMITTED = { wasAdmitted: true };

/** One attempt to join without a tier 1 pass. */
interface Attempt {
  toll: Toll;
  caller: Caller;
  request: JoinRequest | undefined;
}

export class Doorway {
  readonly #options: DoorwayOptions;

  constructor(options: DoorwayOptions) {
    this.#options = options;
  }

  /** The visitor of a request; undefined if it has no credential. An invalid credential is an error. */
  findVisitor(request: Caller, reply: AnswerHead): Visitor | undefined {
    const identification = this.#options.identity.identify(request.headers);
    if (identification.outcome === 'known') return identification.visitor;
    if (identification.outcome === 'nobody') return undefined;
    // Otherwise a browser would present the same bad cookie until it expires.
    if (identification.presented === 'guest') this.#setCookie(GUEST_COOKIE, '', 0, request, reply);
    throw new AppError('INVALID_TOKEN');
  }

  /** As findVisitor; undefined only where guests are allowed. */
  requireVisitor(request: Caller, reply: AnswerHead): Visitor | undefined {
    const visitor = this.findVisitor(request, reply);
    if (visitor === undefined && !this.#options.identity.guestsWelcome) throw new AppError('UNAUTHENTICATED');
    return visitor;
  }

  /** Throws if operators have excluded the visitor. `stay`: the visitor may have a place. From memory. */
  refuseExcluded(eventId: string, visitor: string | undefined, caller: Caller, verb: 'join' | 'stay'): void {
    const refused = this.#options.doorRule.findRefusal({ eventId, visitor, caller }, verb);
    if (refused === undefined) return;
    if (verb === 'join') this.#options.metrics.joins.inc('excluded');
    const { code, until } = refused;
    throw new AppError(code, until === undefined ? {} : { body: { until: new Date(until).toISOString() } });
  }

  /** Whether an operator has lately taken the place or the session of the visitor. */
  wasEjected(eventId: string, visitor: string): boolean {
    return this.#options.doorRule.wasEjected(eventId, visitor);
  }

  /** Where the visitor stands. A guest without a cookie has no place, and gets no identity by asking. */
  look(eventId: string, visitor: Visitor | undefined, request: Caller): Promise<LookOutcome> {
    const { visits } = this.#options;
    if (visitor === undefined) return visits.find(eventId, '');
    return visits.look(eventId, visitor.id, this.#wasAdmitted(eventId, request) ? WAS_ADMITTED : undefined);
  }

  /** As `look`, but never begins a session. */
  stay(eventId: string, visitor: string, request: Caller): Promise<LookOutcome> {
    const options = this.#wasAdmitted(eventId, request) ? WAS_ADMITTED : undefined;
    return this.#options.visits.stay(eventId, visitor, undefined, options);
  }

  /**
   * Whether the request carries a valid entry token of this event, of any visitor: a guest who has signed in since still has
   * the token of the guest. Then only the store may say that they wait.
   */
  #wasAdmitted(eventId: string, { headers }: Caller): boolean {
    const token = headers[ENTRY_HEADER] ?? readCookie(headers.cookie, ENTRY_COOKIE);
    return typeof token === 'string' && this.#options.entryTokens.verify(token)?.eventId === eventId;
  }

  /** As `look`, but not a sign of life: for a page view that another site may have caused. */
  peek(eventId: string, visitor: Visitor | undefined): Promise<LookOutcome> {
    return this.#options.visits.find(eventId, visitor?.id ?? '');
  }

  /** Returns the caller's place, the existing one or a new one. A new guest gets an identity. */
  async join(eventId: string, request: Caller, reply: AnswerHead, how = PLAIN_JOIN): Promise<Joined> {
    const { metrics, priority, accountRule, addressWatch, limits } = this.#options;
    addressWatch.noteJoin(request);
    const known = this.requireVisitor(request, reply);
    this.refuseExcluded(eventId, known?.id, request, 'join');
    const visitor = known ?? (await this.#createGuest(eventId, how, request, reply));
    if (!accountRule.isKnownToAllow(eventId, visitor)) {
      this.#refuseIfMissing(eventId, await accountRule.findMissing(eventId, visitor), how);
    }
    const pass = this.#findPass(eventId, request);
    let outcome = pass && (await this.#exchange(pass, visitor, request, reply));
    if (outcome === undefined) {
      // Here instead of in a function of its own, which would cost every join another promise.
      const toll = limits.reserve(visitor, request);
      try {
        outcome = await this.#joinWithoutPass(eventId, visitor, { toll, caller: request, request: how.request });
      } finally {
        if (outcome?.outcome === 'joined') limits.note(visitor);
        else limits.release(visitor, request);
      }
    }
    metrics.joins.inc(outcome.outcome);
    if (!('crowd' in outcome)) throw toJoinError(outcome, eventId, pass, how);
    priority.note(eventId, outcome.crowd);
    accountRule.note(eventId, outcome.crowd);
    if (outcome.outcome === 'joined' && outcome.standing.state === 'lobby' && visitor.kind === 'guest') {
      this.#options.lotSources.note(eventId, request.ip);
    }
    const joined = { outcome: outcome.outcome, visitor, standing: outcome.standing, crowd: outcome.crowd };
    return how.enter && outcome.standing.state === 'admitted' ? this.#enter(eventId, joined, outcome.standing) : joined;
  }

  /** Gives up the caller's place and removes their entry cookie. */
  async leave(eventId: string, request: Caller, reply: AnswerHead) {
    const visitor = this.requireVisitor(request, reply);
    const outcome = await this.#leave(eventId, visitor);
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    if (outcome.outcome === 'left') this.#options.metrics.countLeave(outcome.from);
    this.#setCookie(ENTRY_COOKIE, '', 0, request, reply);
    return { visitor, answer: { left: outcome.outcome === 'left', status: 'not_in_queue' as const } };
  }

  /** Gives up the place that a waiting token names; false if it is gone. */
  async leavePlace({ eventId, visitor, placeId }: SignedPlace, request: Caller, reply: AnswerHead): Promise<boolean> {
    const outcome = await this.#options.visits.leave(eventId, visitor, placeId);
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    if (outcome.outcome !== 'left') return false;
    this.#options.metrics.countLeave(outcome.from);
    this.#setCookie(ENTRY_COOKIE, '', 0, request, reply);
    return true;
  }

  /** Issues the entry token of a visitor whose session has begun and sets its cookie; undefined for anyone else. */
  issueEntryToken(
    eventId: string,
    visitor: string,
    standing: Standing,
    request: Caller,
    reply: AnswerHead,
  ): string | undefined {
    if (standing.state !== 'active') return undefined;
    const token = this.#options.entryTokens.issue(eventId, visitor, standing);
    const { isSecure, entryCookieReadable: readable } = this.#options;
    const maxAgeSeconds = this.secondsLeft(standing);
    setCookie(reply, ENTRY_COOKIE, token, { maxAgeSeconds, secure: isSecure(request), readable });
    return token;
  }

  secondsLeft({ expiresAt }: { expiresAt: number }): number {
    return Math.max(0, Math.floor((expiresAt - this.#options.clock.now()) / 1000));
  }

  /** Only for an event that has a room: others must not be able to make us issue identities. */
  async #createGuest(eventId: string, how: JoinHow, request: Caller, reply: AnswerHead): Promise<Visitor> {
    const { rooms, identity } = this.#options;
    const room = await rooms.findRoom(eventId);
    if (room === undefined) throw noRoom(eventId);
    this.#options.accountRule.note(eventId, room.crowd);
    this.#refuseIfMissing(eventId, missingOf(room.crowd.settings.joinRequires, undefined), how);
    this.#options.addressWatch.noteGuest(request);
    const { visitor, token } = identity.createGuest();
    this.#setCookie(GUEST_COOKIE, token, GUEST_DAYS * 86_400, request, reply);
    return visitor;
  }

  #refuseIfMissing(eventId: string, missing: Missing | undefined, { wanted }: JoinHow): void {
    if (missing === undefined) return;
    this.#options.metrics.joins.inc('no-account');
    const isGuest = missing === 'account';
    const page = isGuest ? withWantedPage('/sign-in', withWantedPage(`/queue/${eventId}`, wanted)) : '/me';
    throw new AppError(
      isGuest ? 'ACCOUNT_REQUIRED' : 'CONFIRMED_ACCOUNT_REQUIRED',
      this.#options.hasSignIn ? { redirectTo: page } : {},
    );
  }

  /** The tier 1 pass of the request; undefined if it has none, or one that is not valid here. */
  #findPass(eventId: string, { headers: { cookie } }: Caller): VwrPass | undefined {
    const token = readCookie(cookie, VWR_COOKIE);
    return token === undefined ? undefined : this.#options.tokenExchange.verify(token, eventId, cookie);
  }

  /**
   * Joins with the number of a tier 1 pass. No limits apply: the visitor has waited for it. Returns undefined if the
   * number was used before; the device may then take another, so its cookies are removed.
   */
  async #exchange(
    pass: VwrPass,
    visitor: Visitor,
    request: Caller,
    reply: AnswerHead,
  ): Promise<JoinOutcome | undefined> {
    const { visits, tokenExchange } = this.#options;
    const { eventId, position } = pass;
    const priority = await this.#options.priority.goesFirst(eventId, visitor);
    const outcome = await visits.joinWithNumber(eventId, visitor.id, position, { priority });
    if (outcome.outcome !== 'used') return outcome;
    await tokenExchange.release(pass);
    for (const name of [VWR_COOKIE, placeCookie(eventId)]) this.#setCookie(name, '', 0, request, reply);
    return undefined;
  }

  /** Not async: in a plain room, within the limits, the only promise is that of the store. */
  #joinWithoutPass(eventId: string, visitor: Visitor, attempt: Attempt): Promise<JoinOutcome> {
    const { visits, priority } = this.#options;
    const { seconds, price } = attempt.toll;
    const isFree = seconds === 0 && price.steps === 0;
    if (isFree && priority.isPlain(eventId)) return visits.join(eventId, visitor.id, { request: attempt.request });
    return this.#joinIfAllowed(eventId, visitor, attempt, isFree);
  }

  async #joinIfAllowed(eventId: string, visitor: Visitor, attempt: Attempt, isFree: boolean): Promise<JoinOutcome> {
    if (!isFree) await this.#requireToll(eventId, visitor, attempt);
    const priority = await this.#options.priority.goesFirst(eventId, visitor);
    return this.#options.visits.join(eventId, visitor.id, { request: attempt.request, priority });
  }

  async #enter(eventId: string, joined: Joined, { tokenId }: InsideStanding): Promise<Joined> {
    const { visits, metrics } = this.#options;
    const outcome = await visits.enter(eventId, joined.visitor.id, tokenId);
    if (outcome.outcome === 'no-room') throw noRoom(eventId);
    metrics.countEnter(outcome.outcome);
    return { ...joined, standing: outcome.standing, crowd: outcome.crowd };
  }

  async #leave(eventId: string, visitor: Visitor | undefined): Promise<LeaveOutcome> {
    const { visits, rooms } = this.#options;
    if (visitor !== undefined) return visits.leave(eventId, visitor.id);
    return { outcome: (await rooms.findRoom(eventId)) === undefined ? 'no-room' : 'absent' };
  }

  /** Limits apply to new places only: asking again for an existing one is free. */
  async #requireToll(eventId: string, visitor: Visitor, { toll, caller }: Attempt): Promise<void> {
    const { visits, metrics, limits } = this.#options;
    const known = await visits.find(eventId, visitor.id);
    if (known.outcome === 'found' && known.standing.state !== 'absent') return;
    try {
      await limits.require(eventId, visitor, toll, caller);
    } catch (error) {
      metrics.joins.inc('limited');
      throw error;
    }
  }

  #setCookie(name: CookieName, value: string, maxAgeSeconds: number, request: Caller, reply: AnswerHead): void {
    setCookie(reply, name, value, { maxAgeSeconds, secure: this.#options.isSecure(request) });
  }
}

export const noRoom = (eventId: string): AppError =>
  new AppError('EVENT_NOT_FOUND', { message: `There is no room for the event ${eventId}.` });

type Refused = Exclude<JoinOutcome, { crowd: Crowd }>;

function toJoinError({ outcome }: Refused, eventId: string, pass: VwrPass | undefined, { wanted }: JoinHow): AppError {
  switch (outcome) {
    case 'no-room':
      return noRoom(eventId);
    case 'closed':
      return new AppError('ROOM_CLOSED');
    case 'key-reused':
      return new AppError('IDEMPOTENCY_KEY_REUSED');
    case 'number-required':
      // `again` makes the page forget the number it knows: it was used.
      return new AppError('VWR_REQUIRED', {
        redirectTo: withWantedPage(`/vwr/${eventId}${pass === undefined ? '' : '?again=1'}`, wanted),
      });
  }
}

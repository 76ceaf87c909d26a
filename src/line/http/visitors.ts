/** What every door into the line does alike: finding out who asks, giving them a place, taking it back. */
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { GUEST_DAYS, type Identity } from '../../identity/identity.ts';
import { GUEST_COOKIE, type Visitor } from '../../identity/visitor.ts';
import type { AnswerHead, Caller } from '../../platform/http-server/callers.ts';
import { type CookieOptions, writeCookie } from '../../platform/http-server/cookies.ts';
import { addressKey, type RateLimit } from '../../platform/rate-limit.ts';
import { placeCookie } from '../../tier1/tokens/signed-places.ts';
import type { TokenExchange } from '../../tier1/tokens/token-exchange.ts';
import { VWR_COOKIE, type VwrPass } from '../../tier1/tokens/vwr-pass.ts';
import type { LineMetrics } from '../line-metrics.ts';
import type { JoinRequest } from '../model/join-requests.ts';
import type { Crowd, InsideStanding, Standing } from '../model/standing.ts';
import type { Priority } from '../priority.ts';
import type { LineStore } from '../store/line-store.ts';
import type { LineWatch } from '../store/line-watch.ts';
import type { JoinOutcome } from '../store/visits.ts';
import { ENTRY_COOKIE } from '../tokens/entry-pass.ts';
import type { EntryTokens } from '../tokens/entry-tokens.ts';

export interface DoorOptions {
  store: LineStore;
  /** Answers those who come back to ask. */
  watch: LineWatch;
  identity: Identity;
  entryTokens: EntryTokens;
  /** What visitors bring from tier 1. */
  tokenExchange: TokenExchange;
  /** Who of the newcomers goes first. */
  priority: Priority;
  metrics: LineMetrics;
  joinsPerVisitor: RateLimit;
  guestJoinsPerAddress: RateLimit;
  /** Whether cookies of this request's answer carry the Secure flag. */
  isSecure: (request: Caller) => boolean;
  tickMs: number;
  now: () => number;
}

export const LeaveAnswer = Type.Object({
  left: Type.Boolean({ description: 'false if the visitor had no place' }),
  status: Type.Literal('not_in_queue'),
});

export interface Joined {
  /** `duplicate`: this very request was made before. */
  outcome: 'joined' | 'already' | 'duplicate';
  visitor: Visitor;
  standing: Standing;
  crowd: Crowd;
}

interface JoinedInside extends Joined {
  standing: InsideStanding;
}

/** The caller's place: the one they have, or a new one. A newcomer is given an identity on the way. */
export async function joinLine(
  eventId: string,
  request: Caller,
  reply: AnswerHead,
  options: DoorOptions,
  joinRequest?: JoinRequest,
): Promise<Joined> {
  const visitor = requireVisitor(request, reply, options) ?? (await welcomeGuest(eventId, request, reply, options));
  const pass = options.tokenExchange.find(eventId, request.headers);
  const byPass = pass && (await exchange(pass, visitor, request, reply, options));
  const outcome = byPass ?? (await joinWithoutPass(eventId, visitor, request, options, joinRequest));
  if (byPass === undefined && outcome.outcome === 'joined') countJoin(visitor, request, options);
  options.watch.forget(eventId, visitor.id);
  options.metrics.countJoin(outcome.outcome);
  if ('crowd' in outcome) options.priority.note(eventId, outcome.crowd);
  if (outcome.outcome === 'no-room') throw noRoom(eventId);
  if (outcome.outcome === 'closed') throw new AppError('ROOM_CLOSED');
  if (outcome.outcome === 'key-reused') throw new AppError('IDEMPOTENCY_KEY_REUSED');
  if (outcome.outcome === 'number-required') throw numberRequired(eventId, pass);
  return { outcome: outcome.outcome, visitor, standing: outcome.standing, crowd: outcome.crowd };
}

/**
 * The number of tier 1 becomes the visitor's here, without limits: it was waited for. undefined if it was used before:
 * then it counts for nothing, and the device may take another, so its cookies go.
 */
async function exchange(
  pass: VwrPass,
  visitor: Visitor,
  request: Caller,
  reply: AnswerHead,
  options: DoorOptions,
): Promise<JoinOutcome | undefined> {
  const { eventId, position } = pass;
  const priority = await options.priority.goesFirst(eventId, visitor);
  const outcome = await options.store.joinWithNumber(eventId, visitor.id, position, { priority });
  if (outcome.outcome !== 'used') return outcome;
  await options.tokenExchange.release(pass);
  for (const name of [VWR_COOKIE, placeCookie(eventId)]) {
    reply.header('set-cookie', writeCookie(name, '', cookieFor(request, 0, options)));
  }
  return undefined;
}

/** Where nothing has to be asked before, as in a crowd at a plain room, nothing is waited for before. */
function joinWithoutPass(
  eventId: string,
  visitor: Visitor,
  request: Caller,
  options: DoorOptions,
  joinRequest: JoinRequest | undefined,
): Promise<JoinOutcome> {
  const seconds = secondsToWait(visitor, request, options);
  if (seconds === 0 && options.priority.isPlain(eventId)) {
    return options.store.join(eventId, visitor.id, { request: joinRequest });
  }
  return joinIfAllowed(eventId, visitor, seconds, options, joinRequest);
}

async function joinIfAllowed(
  eventId: string,
  visitor: Visitor,
  seconds: number,
  options: DoorOptions,
  request: JoinRequest | undefined,
): Promise<JoinOutcome> {
  if (seconds > 0) await refuseUnlessKnown(eventId, visitor, seconds, options);
  const priority = await options.priority.goesFirst(eventId, visitor);
  return options.store.join(eventId, visitor.id, { request, priority });
}

/** `again` tells the page to forget the number that it knows. */
function numberRequired(eventId: string, used: VwrPass | undefined): AppError {
  return new AppError('VWR_REQUIRED', { redirectTo: `/vwr/${eventId}${used === undefined ? '' : '?again=1'}` });
}

/** Gives up the caller's place, with the cookie that spoke for it. */
export async function leaveLine(eventId: string, request: Caller, reply: AnswerHead, options: DoorOptions) {
  const visitor = requireVisitor(request, reply, options);
  const outcome = await (visitor === undefined ? absence(eventId, options.store) : giveUp(eventId, visitor, options));
  if (outcome.outcome === 'no-room') throw noRoom(eventId);
  if (outcome.outcome === 'left') options.metrics.countLeave(outcome.from);
  reply.header('set-cookie', writeCookie(ENTRY_COOKIE, '', cookieFor(request, 0, options)));
  return { visitor, answer: { left: outcome.outcome === 'left', status: 'not_in_queue' as const } };
}

/** Whether the visitor gets in by asking. To everybody else, what they were told at joining holds. */
export function isReady(joined: Joined): joined is JoinedInside {
  return joined.standing.state === 'admitted';
}

/** Lets in whoever is ready and asks to get in. */
export async function enter(eventId: string, ready: JoinedInside, { store, metrics }: DoorOptions): Promise<Joined> {
  const outcome = await store.enter(eventId, ready.visitor.id, ready.standing.tokenId);
  if (outcome.outcome === 'no-room') throw noRoom(eventId);
  metrics.countEnter(outcome.outcome);
  return { ...ready, standing: outcome.standing, crowd: outcome.crowd };
}

/** The entry token of a visitor whose session has begun, also set as a cookie; undefined for anybody else. */
export function giveEntryToken(
  eventId: string,
  visitor: string,
  standing: Standing,
  request: Caller,
  reply: AnswerHead,
  options: DoorOptions,
): string | undefined {
  if (standing.state !== 'active') return undefined;
  const token = options.entryTokens.issue(eventId, visitor, standing);
  const cookie = writeCookie(ENTRY_COOKIE, token, cookieFor(request, secondsLeft(standing, options), options));
  reply.header('set-cookie', cookie);
  return token;
}

export function secondsLeft({ expiresAt }: { expiresAt: number }, { now }: DoorOptions): number {
  return Math.max(0, Math.floor((expiresAt - now()) / 1000));
}

/** Who is asking; undefined for somebody new where guests are welcome. */
export function requireVisitor(request: Caller, reply: AnswerHead, options: DoorOptions): Visitor | undefined {
  const visitor = findVisitor(request, reply, options);
  if (visitor === undefined && !options.identity.guestsWelcome) throw new AppError('UNAUTHENTICATED');
  return visitor;
}

/** Who is asking; undefined for whoever does not say. Saying it wrongly is an error. */
export function findVisitor(request: Caller, reply: AnswerHead, options: DoorOptions): Visitor | undefined {
  const identification = options.identity.identify(request.headers);
  if (identification.outcome === 'known') return identification.visitor;
  if (identification.outcome === 'nobody') return undefined;
  // Without this, a browser would present the same bad cookie for ever.
  if (identification.presented === 'guest') {
    reply.header('set-cookie', writeCookie(GUEST_COOKIE, '', cookieFor(request, 0, options)));
  }
  throw new AppError('INVALID_TOKEN');
}

export const noRoom = (eventId: string): AppError =>
  new AppError('EVENT_NOT_FOUND', { message: `There is no room for the event ${eventId}.` });

async function giveUp(eventId: string, visitor: Visitor, { store, watch }: DoorOptions) {
  const outcome = await store.leave(eventId, visitor.id);
  watch.forget(eventId, visitor.id);
  return outcome;
}

async function absence(eventId: string, store: LineStore) {
  const room = await store.findRoom(eventId);
  return room === undefined ? ({ outcome: 'no-room' } as const) : ({ outcome: 'absent' } as const);
}

/** Gives a newcomer an identity, once it is sure that they can use it. */
async function welcomeGuest(
  eventId: string,
  request: Caller,
  reply: AnswerHead,
  options: DoorOptions,
): Promise<Visitor> {
  if ((await options.store.findRoom(eventId)) === undefined) throw noRoom(eventId);
  const { visitor, token } = options.identity.createGuest();
  reply.header('set-cookie', writeCookie(GUEST_COOKIE, token, cookieFor(request, GUEST_DAYS * 86_400, options)));
  return visitor;
}

/** Only new places are limited: asking again for the place one has costs nobody anything. */
async function refuseUnlessKnown(
  eventId: string,
  visitor: Visitor,
  seconds: number,
  options: DoorOptions,
): Promise<void> {
  const known = await options.store.find(eventId, visitor.id);
  if (known.outcome === 'found' && known.standing.state !== 'absent') return;
  options.metrics.countJoin('limited');
  throw new AppError('RATE_LIMITED', {
    message: `Too many places were taken from here. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
}

function secondsToWait(visitor: Visitor, request: Caller, options: DoorOptions): number {
  const own = options.joinsPerVisitor.secondsToWait(visitor.id);
  // A user's identity was vouched for by the site; only a guest can make up new ones.
  const shared = visitor.kind === 'guest' ? options.guestJoinsPerAddress.secondsToWait(addressKey(request.ip)) : 0;
  return Math.max(own, shared);
}

function countJoin(visitor: Visitor, request: Caller, options: DoorOptions): void {
  options.joinsPerVisitor.count(visitor.id);
  if (visitor.kind === 'guest') options.guestJoinsPerAddress.count(addressKey(request.ip));
}

function cookieFor(request: Caller, maxAgeSeconds: number, options: DoorOptions): CookieOptions {
  return { maxAgeSeconds, secure: options.isSecure(request) };
}

/** Shared by the API and the page of tier 1: identify the device, give it a signed place, set the cookies. */
import { AppError } from '../../http/errors.ts';
import type { AddressWatch } from '../../identity/address-watch.ts';
import type { Answer, ProofOfWork } from '../../identity/proof-of-work.ts';
import type { AnswerHead, Caller } from '../../platform/http-server/callers.ts';
import { readCookie, setCookie } from '../../platform/http-server/cookies.ts';
import type { Counters } from '../model/counters.ts';
import type { Tier1Metrics } from '../tier1-metrics.ts';
import { DEVICE_DAYS, type Devices } from '../tokens/devices.ts';
import { placeCookie } from '../tokens/signed-places.ts';
import { DEVICE_COOKIE, VWR_COOKIE, VWR_PASS_SECONDS } from '../tokens/vwr-pass.ts';
import type { AssignedPlace, WaitingRoom } from '../waiting-room.ts';

export interface Tier1RouteOptions {
  room: WaitingRoom;
  devices: Devices;
  proofOfWork: ProofOfWork;
  metrics: Tier1Metrics;
  /** Notices visitors who seem to share an address; undefined: nobody would see it. */
  addressWatch?: Pick<AddressWatch, 'noteJoin' | 'noteGuest'> | undefined;
  placeTtlMs: number;
  /** Whether the response's cookies carry the Secure flag. */
  isSecure: (request: Caller) => boolean;
}

const SWITCHING_RETRY_SECONDS = 1;

/** The place of the request: from its cookie, from the store, or a new one. */
export async function takePlace(
  eventId: string,
  answer: Answer | undefined,
  request: Caller,
  reply: AnswerHead,
  options: Tier1RouteOptions,
): Promise<AssignedPlace> {
  const { room, devices, metrics } = options;
  const counters = requireActive(eventId, await room.find(eventId));
  const known = devices.find(request.headers.cookie);
  const requestId = readCookie(request.headers.cookie, placeCookie(eventId));
  const place = room.recognise(requestId, known, counters);
  if (requestId !== undefined && place !== undefined) {
    metrics.countAssignment('again');
    return { requestId, place, counters };
  }
  options.addressWatch?.noteJoin(request);
  if (known === undefined) options.addressWatch?.noteGuest(request);
  const device = known ?? createDevice(request, reply, options);
  const taken = await room.take(eventId, { device, address: request.ip, answer });
  if (taken.outcome === 'assigned') return taken.assigned;
  if (taken.outcome === 'inactive') throw notActive(eventId);
  throw new AppError('PROOF_OF_WORK_REQUIRED', {
    retryAfterSeconds: taken.seconds,
    body: { challenge: await options.proofOfWork.create({ eventId, owner: device, price: taken.price }) },
  });
}

export function setPlaceCookie(
  requestId: string,
  eventId: string,
  request: Caller,
  reply: AnswerHead,
  { placeTtlMs, isSecure }: Tier1RouteOptions,
): void {
  const cookie = { maxAgeSeconds: Math.floor(placeTtlMs / 1000), secure: isSecure(request) };
  setCookie(reply, placeCookie(eventId), requestId, cookie);
}

export function setTokenCookie(
  token: string,
  request: Caller,
  reply: AnswerHead,
  { isSecure }: Pick<Tier1RouteOptions, 'isSecure'>,
): void {
  const cookie = { maxAgeSeconds: VWR_PASS_SECONDS, secure: isSecure(request) };
  setCookie(reply, VWR_COOKIE, token, cookie);
}

function requireActive(eventId: string, counters: Counters | undefined): Counters {
  if (counters === undefined || counters.state === 'inactive') throw notActive(eventId);
  if (counters.state === 'active') return counters;
  throw new AppError('VWR_SWITCHING', { retryAfterSeconds: SWITCHING_RETRY_SECONDS });
}

function notActive(eventId: string): AppError {
  return new AppError('VWR_NOT_ACTIVE', { redirectTo: `/queue/${eventId}` });
}

function createDevice(request: Caller, reply: AnswerHead, { devices, isSecure }: Tier1RouteOptions): string {
  const { device, token } = devices.create();
  const cookie = { maxAgeSeconds: DEVICE_DAYS * 86_400, secure: isSecure(request) };
  setCookie(reply, DEVICE_COOKIE, token, cookie);
  return device;
}

/** What a device can do in tier 1, through the API or the page: take a number, and check whether its turn has come. */
import type { IdentityCounts } from '../identity/identity-counts.ts';
import type { Price } from '../identity/identity-price.ts';
import type { Answer, ProofOfWork } from '../identity/proof-of-work.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import type { Assigner } from './assigner.ts';
import type { CounterCache } from './counter-cache.ts';
import { type Counters, countAhead, isServed, type Pace } from './model/counters.ts';
import { estimateWait, nextPoll } from './rules/waiting.ts';
import type { Tier1Metrics } from './tier1-metrics.ts';
import type { SignedPlace, SignedPlaces } from './tokens/signed-places.ts';
import type { VwrTokens } from './tokens/vwr-tokens.ts';

export interface WaitingRoomOptions {
  counters: CounterCache;
  assigner: Assigner;
  signedPlaces: SignedPlaces;
  vwrTokens: VwrTokens;
  proofOfWork: ProofOfWork;
  identityCounts: IdentityCounts;
  /** How many devices of an address get a number without a proof of work; 0: all. */
  addressAllowance: number;
  assignsPerDevice: RateLimit;
  metrics: Tier1Metrics;
  pace: Pace;
}

export interface Caller {
  device: string;
  address: string;
  /** The solved challenge of the request, if any. */
  answer: Answer | undefined;
}

/** The signed place of a device, with the counters it was read with. */
export interface AssignedPlace {
  requestId: string;
  place: SignedPlace;
  counters: Counters;
}

export type TakeOutcome =
  | { outcome: 'assigned'; assigned: AssignedPlace }
  | { outcome: 'inactive' }
  /** A proof of work is required; without one, the device may try again later. */
  | { outcome: 'limited'; seconds: number; price: Price };

export interface Turn {
  admitted: boolean;
  position: number;
  servingCounter: number;
  /** How far the serving counter is from the position; 0 if its turn has come. */
  ahead: number;
  /** The last number assigned. */
  totalInQueue: number;
  estimatedWait: number;
  nextPoll: number;
  token?: string;
}

export class WaitingRoom {
  readonly #options: WaitingRoomOptions;

  constructor(options: WaitingRoomOptions) {
    this.#options = options;
  }

  find(eventId: string): Counters | undefined | Promise<Counters | undefined> {
    return this.#options.counters.find(eventId);
  }

  /** The place of a request id, if it belongs to this device and the current activation. */
  recognise(requestId: string | undefined, device: string | undefined, counters: Counters): SignedPlace | undefined {
    if (requestId === undefined || device === undefined) return undefined;
    const place = this.#options.signedPlaces.verify(requestId, counters.eventId, device);
    return place?.activation === counters.activation ? place : undefined;
  }

  /** A number for the device, rate-limited; the same one for as long as tier 1 is active. */
  async take(eventId: string, caller: Caller): Promise<TakeOutcome> {
    const { assigner, signedPlaces, counters, metrics } = this.#options;
    const limited = await this.#findLimit(eventId, caller);
    if (limited !== undefined) {
      metrics.countAssignment('limited');
      return limited;
    }
    const assignment = await assigner.assign(eventId, caller.device);
    metrics.countAssignment(assignment.outcome);
    if (assignment.outcome === 'inactive') {
      counters.forget(eventId);
      return assignment;
    }
    const { position } = assignment;
    const place = { eventId, device: caller.device, position, activation: assignment.counters.activation };
    const requestId = signedPlaces.issue(place);
    return { outcome: 'assigned', assigned: { requestId, place, counters: assignment.counters } };
  }

  /** Whether it is the turn of the place, with a vwr token if it is. */
  turnOf({ eventId, device, position, activation }: SignedPlace, counters: Counters): Turn {
    const { vwrTokens, metrics } = this.#options;
    const { servingCounter } = counters;
    // The counters are up to a second old, the position may be newer.
    const totalInQueue = Math.max(counters.nextPosition, position);
    if (!isServed(counters, position)) {
      metrics.countCheck('waiting');
      const ahead = countAhead(counters, position);
      const estimatedWait = estimateWait(ahead, this.#options.pace);
      const wait = { estimatedWait, nextPoll: nextPoll(ahead) };
      return { admitted: false, position, servingCounter, ahead, totalInQueue, ...wait };
    }
    metrics.countCheck('served');
    const token = vwrTokens.issue({ eventId, device, position, tokenId: `${activation}.${position}` });
    const wait = { estimatedWait: 0, nextPoll: nextPoll(0) };
    return { admitted: true, position, servingCounter, ahead: 0, totalInQueue, ...wait, token };
  }

  estimate(position: number, counters: Counters): number {
    return estimateWait(countAhead(counters, position), this.#options.pace);
  }

  /** undefined for a device within the limits, or with a proof of work. */
  async #findLimit(
    eventId: string,
    { device, address, answer }: Caller,
  ): Promise<Extract<TakeOutcome, { outcome: 'limited' }> | undefined> {
    const { assignsPerDevice, identityCounts, addressAllowance, proofOfWork } = this.#options;
    const price = identityCounts.reserve(address, addressAllowance);
    const ownSeconds = assignsPerDevice.secondsToWait(device);
    if (ownSeconds === 0 && price.steps === 0) {
      // Counted before the assignment: concurrent requests would otherwise not see each other.
      assignsPerDevice.count(device);
      return undefined;
    }
    const due = { ...price, steps: Math.max(1, price.steps) };
    if (answer !== undefined && (await proofOfWork.accept(answer, { eventId, owner: device, price: due }))) {
      return undefined;
    }
    identityCounts.release(address, addressAllowance);
    const seconds = price.steps === 0 ? ownSeconds : identityCounts.secondsToWait(address, addressAllowance);
    return { outcome: 'limited', seconds, price: due };
  }
}

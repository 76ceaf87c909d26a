/** What a device can do in tier 1, through the API or the page: take a number, and check whether its turn has come. */
import { addressKey, type RateLimit } from '../platform/rate-limit.ts';
import type { Assigner } from './assigner.ts';
import type { Answer, Challenges } from './challenges.ts';
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
  challenges: Challenges;
  assignsPerDevice: RateLimit;
  assignsPerAddress: RateLimit;
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
  | { outcome: 'limited'; seconds: number };

export interface Turn {
  admitted: boolean;
  position: number;
  servingCounter: number;
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
    const seconds = await this.#secondsToWait(eventId, caller);
    if (seconds > 0) {
      metrics.countAssignment('limited');
      return { outcome: 'limited', seconds };
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
    if (!isServed(counters, position)) {
      metrics.countCheck('waiting');
      const ahead = countAhead(counters, position);
      const estimatedWait = this.estimate(position, counters);
      return { admitted: false, position, servingCounter, estimatedWait, nextPoll: nextPoll(ahead) };
    }
    metrics.countCheck('served');
    const token = vwrTokens.issue({ eventId, device, position, tokenId: `${activation}.${position}` });
    return { admitted: true, position, servingCounter, estimatedWait: 0, nextPoll: nextPoll(0), token };
  }

  estimate(position: number, counters: Counters): number {
    return estimateWait(countAhead(counters, position), this.#options.pace);
  }

  /** 0 for a device within the limits, or with a solved challenge. */
  async #secondsToWait(eventId: string, { device, address, answer }: Caller): Promise<number> {
    const { assignsPerDevice, assignsPerAddress, challenges } = this.#options;
    const key = addressKey(address);
    const seconds = Math.max(assignsPerDevice.secondsToWait(device), assignsPerAddress.secondsToWait(key));
    if (seconds > 0) {
      const isSolved = answer !== undefined && (await challenges.accept(answer, eventId, device));
      return isSolved ? 0 : seconds;
    }
    // Counted before the assignment: concurrent requests would otherwise not see each other.
    assignsPerDevice.count(device);
    assignsPerAddress.count(key);
    return 0;
  }
}

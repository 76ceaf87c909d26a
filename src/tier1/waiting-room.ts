/** What a device can do before the site, whatever it asks through: take a number, and ask whether its turn has come. */
import { addressKey, type RateLimit } from '../platform/rate-limit.ts';
import type { Assigner } from './assigner.ts';
import type { Answer, Challenges } from './challenges.ts';
import type { CounterCache } from './counter-cache.ts';
import { type Counters, countAhead, isServed, type Pace } from './model/counters.ts';
import { estimateWait, nextPoll } from './rules/waiting.ts';
import type { Tier1Metrics } from './tier1-metrics.ts';
import type { Place, Places } from './tokens/signed-places.ts';
import type { VwrTokens } from './tokens/vwr-tokens.ts';

export interface WaitingRoomOptions {
  counters: CounterCache;
  assigner: Assigner;
  places: Places;
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
  /** The solved challenge that they bring. */
  answer: Answer | undefined;
}

/** The number of a device, and how it stands with it. */
export interface Ticket {
  requestId: string;
  place: Place;
  counters: Counters;
}

export type TicketOutcome =
  | { outcome: 'ticket'; ticket: Ticket }
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

  /** The place that a request id speaks for, if it is this device's, and of this sale. */
  recognise(requestId: string | undefined, device: string | undefined, counters: Counters): Place | undefined {
    if (requestId === undefined || device === undefined) return undefined;
    const place = this.#options.places.verify(requestId, counters.eventId, device);
    return place?.activation === counters.activation ? place : undefined;
  }

  /** A number for the device, within what is usual; the same one for as long as the numbering is on. */
  async take(eventId: string, caller: Caller): Promise<TicketOutcome> {
    const { assigner, places, counters, metrics } = this.#options;
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
    return { outcome: 'ticket', ticket: { requestId: places.issue(place), place, counters: assignment.counters } };
  }

  /** Whether it is the place's turn, with the proof of it. */
  turnOf({ eventId, device, position, activation }: Place, counters: Counters): Turn {
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

  /** 0 for whoever is within the limits, or has done the work. */
  async #secondsToWait(eventId: string, { device, address, answer }: Caller): Promise<number> {
    const { assignsPerDevice, assignsPerAddress, challenges } = this.#options;
    const key = addressKey(address);
    const seconds = Math.max(assignsPerDevice.secondsToWait(device), assignsPerAddress.secondsToWait(key));
    if (seconds > 0) {
      const isSolved = answer !== undefined && (await challenges.accept(answer, eventId, device));
      return isSolved ? 0 : seconds;
    }
    // Counted before the answer: those of one moment would otherwise not see each other.
    assignsPerDevice.count(device);
    assignsPerAddress.count(key);
    return 0;
  }
}

/** Passes at the door of the line: the verified vwr token of the device that brings it, to be exchanged for its number. */
import type { IncomingHttpHeaders } from 'node:http';
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Devices } from './devices.ts';
import { VWR_COOKIE, type VwrPass } from './vwr-pass.ts';
import type { VwrTokens } from './vwr-tokens.ts';

export interface Passes {
  /** The pass that a request brings for this event; undefined if it has none, or one of another device's. */
  find(eventId: string, headers: IncomingHttpHeaders): VwrPass | undefined;
  /** It was used, and its visitor is gone from the line: the device may take another number. */
  release(pass: VwrPass): Promise<void>;
}

export interface PassesOptions {
  vwrTokens: VwrTokens;
  devices: Devices;
  store: Pick<Tier1Store, 'release'>;
}

export function createPasses({ vwrTokens, devices, store }: PassesOptions): Passes {
  return {
    find(eventId, { cookie }) {
      const token = readCookie(cookie, VWR_COOKIE);
      const pass = token === undefined ? undefined : vwrTokens.verify(token);
      const isGood = pass !== undefined && pass.eventId === eventId && pass.device === devices.find(cookie);
      return isGood ? pass : undefined;
    },
    release: ({ eventId, device, position }) => store.release(eventId, device, position),
  };
}

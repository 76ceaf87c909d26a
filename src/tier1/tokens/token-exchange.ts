/** Verifies the vwr token of a request to join the line. The line exchanges it, once, for a place with its number. */
import type { IncomingHttpHeaders } from 'node:http';
import { readCookie } from '../../platform/http-server/cookies.ts';
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Devices } from './devices.ts';
import { VWR_COOKIE, type VwrPass } from './vwr-pass.ts';
import type { VwrTokens } from './vwr-tokens.ts';

export interface TokenExchange {
  /** The verified vwr token of this event and device; undefined if there is none. */
  find(eventId: string, headers: IncomingHttpHeaders): VwrPass | undefined;
  /** The token was used and its visitor has left the line: the device may take another number. */
  release(pass: VwrPass): Promise<void>;
}

export interface TokenExchangeOptions {
  vwrTokens: VwrTokens;
  devices: Devices;
  store: Pick<Tier1Store, 'release'>;
}

export function createTokenExchange({ vwrTokens, devices, store }: TokenExchangeOptions): TokenExchange {
  return {
    find(eventId, { cookie }) {
      const token = readCookie(cookie, VWR_COOKIE);
      const pass = token === undefined ? undefined : vwrTokens.verify(token);
      const isValid = pass !== undefined && pass.eventId === eventId && pass.device === devices.find(cookie);
      return isValid ? pass : undefined;
    },
    release: ({ eventId, device, position }) => store.release(eventId, device, position),
  };
}

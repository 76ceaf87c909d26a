/** Verifies the vwr token of a request to join the line. The line exchanges it, once, for a place with its number. */
import type { Tier1Store } from '../store/tier1-store.ts';
import type { Devices } from './devices.ts';
import type { VwrPass } from './vwr-pass.ts';
import type { VwrTokens } from './vwr-tokens.ts';

export interface TokenExchange {
  /** The pass of a vwr token; undefined unless it was issued for this event and to the device of the cookies. */
  verify(token: string, eventId: string, cookies: string | undefined): VwrPass | undefined;
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
    verify(token, eventId, cookies) {
      const pass = vwrTokens.verify(token);
      const isValid = pass !== undefined && pass.eventId === eventId && pass.device === devices.find(cookies);
      return isValid ? pass : undefined;
    },
    release: ({ eventId, device, position }) => store.release(eventId, device, position),
  };
}

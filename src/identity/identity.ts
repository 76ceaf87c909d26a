/**
 * Identifies the caller. A user carries a token signed by an identity provider, by the host site, or by us for an account
 * here; a guest carries a cookie signed by Fairline.
 * Nothing else counts, not even `X-User-Id`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import { type IdentityCookie, readCookie } from '../platform/http-server/cookies.ts';
import { createTokenVerifier, type TokenVerifier } from '../platform/jwt/tokens.ts';
import { createGuests, type NewGuest } from './guests.ts';
import { findCredential, findUserToken, GUEST_COOKIE, type Presented, toUser, type Visitor } from './visitor.ts';

export type Identification =
  | { outcome: 'known'; visitor: Visitor }
  | { outcome: 'nobody' }
  /** A credential was presented but is invalid. Never treated as `nobody`: that would hide a forged token. */
  | { outcome: 'invalid'; presented: Presented };

export interface Identity {
  readonly guestsWelcome: boolean;
  identify(headers: IncomingHttpHeaders): Identification;
  /** The guest of the cookie, even if the request also carries a user's token. */
  findGuest(headers: IncomingHttpHeaders): Visitor | undefined;
  createGuest(): NewGuest;
  /**
   * Waits until a request can be identified, if its token names a key of the identity provider that is not known yet. Call
   * it once at the rim. undefined: nothing to wait for. Absent: there is never anything.
   */
  prepare?: ((headers: IncomingHttpHeaders) => Promise<void> | undefined) | undefined;
}

/** Verifies the tokens of users (src/identity/issuer/user-tokens.ts). */
export interface UserTokens {
  verify: TokenVerifier<Visitor>;
  /**
   * Reads the provider's keys again if the token names one that we do not have. undefined: nothing to wait for. Rejects with
   * StoreUnavailableError if the keys cannot be read, because then nobody knows whether the token is genuine.
   */
  prepare?: (token: string) => Promise<void> | undefined;
}

export interface IdentityOptions {
  authSecrets: readonly string[];
  /** Absent: users' tokens are HS256, signed with one of `authSecrets`. */
  userTokens?: UserTokens | undefined;
  /** The key to sign guests' cookies with, then older ones that are still accepted. A gate may have none. */
  guestKeys: readonly string[];
  /** For a gate without the secret: knows guests by the key in their cookie (src/signing-keys/held-key.ts), without its signature. */
  trustsHeldKeys?: boolean;
  sessionCookie: IdentityCookie;
  guestsWelcome: boolean;
  /** Whether the user's session was ended before it expired. */
  hasEnded?: ((visitor: Visitor) => boolean) | undefined;
  clock: Clock;
}

export function createIdentity(options: IdentityOptions): Identity {
  const { authSecrets, sessionCookie, guestsWelcome, hasEnded, clock } = options;
  const { verify: verifyUser, prepare } = options.userTokens ?? {
    verify: createTokenVerifier({ secrets: authSecrets, read: toUser, clock }),
    prepare: undefined,
  };
  const guests = createGuests(options);

  return {
    guestsWelcome,
    prepare:
      prepare &&
      ((headers) => {
        const token = findUserToken(headers, sessionCookie);
        return token === undefined ? undefined : prepare(token);
      }),
    identify(headers) {
      const credential = findCredential(headers, { sessionCookie, guestsWelcome });
      if (credential === undefined) return NOBODY;
      const { presented, token } = credential;
      const visitor = presented === 'guest' ? guests.verify(token) : verifyUser(token);
      const isOver = visitor !== undefined && hasEnded?.(visitor) === true;
      return toIdentification(isOver ? undefined : visitor, presented);
    },
    findGuest({ cookie }) {
      const token = readCookie(cookie, GUEST_COOKIE);
      return token === undefined ? undefined : guests.verify(token);
    },
    createGuest: () => guests.create(),
  };
}

const NOBODY: Identification = { outcome: 'nobody' };

function toIdentification(visitor: Visitor | undefined, presented: Presented): Identification {
  return visitor === undefined ? { outcome: 'invalid', presented } : { outcome: 'known', visitor };
}

/**
 * Who may try a password now. Strangers are limited by address, by account from one address, and by account from everywhere.
 * A browser that signed in to the account before has its own count, so a stranger can neither use up its attempts nor lock the
 * account. Nothing here knows whether the account exists.
 */
import type { Clock } from '../platform/clock.ts';
import { GuessLimit } from '../platform/guess-limit.ts';
import { addressKey, type RateLimit } from '../platform/rate-limit.ts';

const FIRST_WAIT_MS = 30_000;

export interface SignInLimits {
  /** Counts the attempt, unless it has to wait. */
  begin(tried: Tried): { outcome: 'wait'; seconds: number } | { outcome: 'begun'; attempt: Attempt };
  /** Counts a request that checks no password, such as one for a mail. Returns the seconds to wait; 0: none. */
  countRequest(ip: string): number;
}

export interface Tried {
  ip: string;
  /** What the password belongs to: an email. */
  account: string;
  /** The id of a browser that signed in to this account before. */
  knownBrowser: string | undefined;
}

export interface Attempt {
  /** The password was right. */
  succeed(): void;
  /** The password was not checked. */
  takeBack(): void;
}

export interface SignInLimitsOptions {
  /** Attempts, right or wrong, and other requests, per address or known account. */
  perMinute: RateLimit;
  /** Wrong passwords per account and address; 0: no limit. */
  wrongPerAccount: number;
  clock: Clock;
}

/** How many more wrong passwords an account takes from everywhere than from one address. */
const EVERYWHERE = 4;

export function createSignInLimits({ perMinute, wrongPerAccount, clock }: SignInLimitsOptions): SignInLimits {
  const fromOnePlace = new GuessLimit({ free: wrongPerAccount, firstWaitMs: FIRST_WAIT_MS, clock });
  const fromEverywhere = new GuessLimit({ free: wrongPerAccount * EVERYWHERE, firstWaitMs: FIRST_WAIT_MS, clock });

  function begin({ ip, account, knownBrowser }: Tried): ReturnType<SignInLimits['begin']> {
    const address = addressKey(ip);
    const isStranger = knownBrowser === undefined;
    // Known browsers are limited by account: nobody else can use that up, and one account cannot fill the queue for hashing.
    const minuteKey = isStranger ? address : `known ${account}`;
    const place = isStranger ? `address ${address} ${account}` : `browser ${knownBrowser}`;
    const seconds = Math.max(
      fromOnePlace.secondsToWait(place),
      perMinute.secondsToWait(minuteKey),
      isStranger ? fromEverywhere.secondsToWait(account) : 0,
    );
    if (seconds > 0) return { outcome: 'wait', seconds };
    perMinute.count(minuteKey);
    fromOnePlace.count(place);
    if (isStranger) fromEverywhere.count(account);
    const takeBackEverywhere = () => isStranger && fromEverywhere.takeBack(account);
    const attempt = {
      succeed() {
        fromOnePlace.forget(place);
        takeBackEverywhere();
      },
      takeBack() {
        fromOnePlace.takeBack(place);
        takeBackEverywhere();
      },
    };
    return { outcome: 'begun', attempt };
  }

  return {
    begin,
    countRequest(ip) {
      const address = addressKey(ip);
      const seconds = perMinute.secondsToWait(address);
      if (seconds === 0) perMinute.count(address);
      return seconds;
    },
  };
}

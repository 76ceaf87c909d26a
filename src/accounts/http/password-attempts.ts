/** Tries a password on behalf of a request, within the limits. */
import type { FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../http/errors.ts';
import type { AccountMetrics } from '../account-metrics.ts';
import type { KnownBrowsers } from '../known-browsers.ts';
import type { Asker } from '../passwords.ts';
import type { PasswordProblem } from '../rules/password-rules.ts';
import type { SignInLimits, Tried } from '../sign-in-limits.ts';

export interface PasswordAttemptsOptions {
  limits: SignInLimits;
  knownBrowsers: KnownBrowsers;
  metrics: AccountMetrics;
}

/** Refusals of an attempt, whether the password is right or not. */
export const attemptErrors: readonly ErrorCode[] = ['RATE_LIMITED', 'SIGN_IN_BUSY'];

type Outcome = { outcome: string };
export type Checked<T extends Outcome> = Exclude<T, { outcome: 'busy' | 'weak' }>;

export interface PasswordAttempts {
  /** Tries a password of the account with this email. Throws if the attempt has to wait or was not made. */
  tryToSignIn<T extends Outcome>(request: Source, email: string, work: (who: Asker) => Promise<T>): Promise<Checked<T>>;
  /** Tries the password of a visitor who has a session. Each session has its own count. */
  tryAgain<T extends Outcome>(request: Source, sessionId: string, work: () => Promise<T>): Promise<Checked<T>>;
  /** Counts a request that tries no password. Throws if it has to wait. */
  countRequest(request: Pick<FastifyRequest, 'ip'>): void;
}

type Source = Pick<FastifyRequest, 'ip' | 'headers'>;

const BUSY_RETRY_SECONDS = 3;
const NOT_MADE = ['busy', 'weak'];
const WRONG = ['wrong', 'taken'];

export function createPasswordAttempts({ limits, knownBrowsers, metrics }: PasswordAttemptsOptions): PasswordAttempts {
  async function run<T extends Outcome>(tried: Tried, work: () => Promise<T>): Promise<Checked<T>> {
    const begun = limits.begin(tried);
    if (begun.outcome === 'wait') {
      metrics.countAttempt('limited');
      throw tooMany(begun.seconds);
    }
    const { attempt } = begun;
    try {
      const outcome = await work();
      if (NOT_MADE.includes(outcome.outcome)) throw toError(outcome);
      if (WRONG.includes(outcome.outcome)) metrics.countAttempt('wrong');
      else {
        attempt.succeed();
        metrics.countAttempt('right');
      }
      return outcome as Checked<T>;
    } catch (error) {
      attempt.takeBack();
      throw error;
    }
  }

  function toError(outcome: Outcome & { problem?: PasswordProblem }): AppError {
    if (outcome.outcome === 'weak') return weakPassword(outcome.problem!);
    metrics.countAttempt('busy');
    return signInBusy();
  }

  return {
    tryToSignIn({ ip, headers }, email, work) {
      const knownBrowser = knownBrowsers.find(headers.cookie, email);
      return run({ ip, account: email, knownBrowser }, () => work(knownBrowser === undefined ? 'stranger' : 'known'));
    },
    tryAgain: ({ ip }, sessionId, work) => run({ ip, account: sessionId, knownBrowser: `session ${sessionId}` }, work),
    countRequest({ ip }) {
      const seconds = limits.countRequest(ip);
      if (seconds > 0) throw tooMany(seconds);
    },
  };
}

export function signInBusy(): AppError {
  return new AppError('SIGN_IN_BUSY', { retryAfterSeconds: BUSY_RETRY_SECONDS });
}

export function weakPassword(problem: PasswordProblem): AppError {
  const message = PROBLEMS[problem];
  return new AppError('WEAK_PASSWORD', { message, fields: [{ field: 'password', message }] });
}

const PROBLEMS: Readonly<Record<PasswordProblem, string>> = {
  short: 'password must have at least 8 characters',
  common: 'password is one of the most common ones. Choose another one, for example three unrelated words.',
  personal: 'password is your email or name. Choose another one, for example three unrelated words.',
  pattern: 'password is a repetition, a sequence or a date. Choose another one, for example three unrelated words.',
};

function tooMany(seconds: number): AppError {
  const message = `Too many attempts. Try again in ${seconds} seconds, or ask for a link by mail (POST /api/auth/password/forgot).`;
  return new AppError('RATE_LIMITED', { message, retryAfterSeconds: seconds });
}

/** Joins a line and polls until the visitor is inside, at the pace that the server asks for. */
import { FairlineError } from './fairline-error.ts';
import type { Transport } from './transport.ts';
import { retryDelay, wait, withJitter } from './wait.ts';

export interface PollOptions {
  /** Ends the polling: the loop throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The page that the visitor wanted; becomes `target` of the responses. */
  to?: string | undefined;
  /** false: only looks, for a visitor who joined before. */
  join?: boolean | undefined;
  /** How many attempts in a row may fail (no connection, timeout, 429, 5xx) before the error is thrown. Default: 10. */
  retries?: number | undefined;
}

/** The fields of a poll's response that decide what to do next. */
export interface PollState {
  status: string;
  nextPoll: number;
}

const RETRIES = 10;

/** Ends after the response `active` (inside) or `not_in_queue` (the place is gone). */
export async function* poll<Answer extends PollState>(
  transport: Transport,
  eventId: string,
  { signal, to, join = true, retries = RETRIES }: PollOptions = {},
): AsyncGenerator<Answer, void, undefined> {
  const path = encodeURIComponent(eventId);
  const query = to === undefined ? '' : `?${new URLSearchParams({ to })}`;
  let hasJoined = !join;
  let failures = 0;
  for (;;) {
    const [method, verb] = hasJoined ? ['GET', 'status'] : ['POST', 'check'];
    let delayMs: number;
    try {
      const answer = (await transport.ask({ method, path: `/api/queue/${verb}/${path}${query}`, signal })) as Answer;
      hasJoined = true;
      failures = 0;
      yield answer;
      if (answer.status !== 'queued') return;
      delayMs = withJitter(answer.nextPoll);
    } catch (error) {
      failures += 1;
      if (!isWorthRetrying(error, signal) || failures > retries) throw error;
      delayMs = retryDelay(failures, error instanceof FairlineError ? error.retryAfterSeconds : undefined);
    }
    await wait(delayMs, signal);
  }
}

/** Without a response (no connection, a timeout), or with one that says to come back. */
export function isWorthRetrying(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) return false;
  return error instanceof FairlineError ? error.isTemporary : error instanceof Error;
}

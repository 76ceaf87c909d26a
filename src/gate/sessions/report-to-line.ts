/** Reports sessions to an instance over HTTP. Uses no Node APIs. */
import type { LineClient } from '../lookups/line-client.ts';
import { type ReportSessions, SESSIONS_PATH, type SessionAnswer } from './session-report.ts';

export function reportToLine(ask: LineClient): ReportSessions {
  return async (report) => {
    const answer = (await ask('POST', SESSIONS_PATH, report)) as { seen?: unknown } | undefined;
    const seen = answer?.seen;
    if (!Array.isArray(seen) || seen.length !== report.seen.length) {
      throw new Error(`${SESSIONS_PATH} did not answer for every session`);
    }
    return seen.map(toAnswer);
  };
}

/** What is not understood is an error: nothing is renewed, and nobody is refused. */
function toAnswer(wire: Record<string, unknown>): SessionAnswer {
  if (wire.ended === true) return { outcome: 'ended' };
  const { token, expiresAt, sessionMs } = wire;
  const time = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  const isToken = token === undefined || typeof token === 'string';
  if (!isToken || Number.isNaN(time) || typeof sessionMs !== 'number') {
    throw new Error(`${SESSIONS_PATH} gave an answer of an unknown form`);
  }
  return { outcome: 'stands', ...(token === undefined ? {} : { token }), expiresAt: time, sessionMs };
}

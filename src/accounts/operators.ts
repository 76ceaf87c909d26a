/**
 * Operators: who may change a room, and the trail of what they changed. They carry the operators' token, or the cookie
 * of an account with that role, which counts only on requests that our own pages make.
 */
import { createHmac } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import { readCookie } from '../platform/cookies.ts';
import { createTokenSigner, createTokenVerifier, isSameSecret } from '../platform/tokens.ts';
import { bearerOf } from './visitor.ts';

export interface AuditEntry {
  action: string;
  eventId: string;
  from: string;
  traceId: string;
  details: Record<string, unknown>;
}

export interface Operators {
  /** Throws OPERATOR_ONLY unless an operator is asking. */
  require(headers: IncomingHttpHeaders): void;
  /** The token of an operator's session, for the cookie. */
  issue(userId: string): string;
  /** Writes the trail; resolves when the line is in the file. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface OperatorsOptions {
  adminToken: string;
  dataDir: string;
  clock: Clock;
  log: Logger;
}

export const OPERATOR_COOKIE = 'fairline-operator';
export const OPERATOR_SESSION_SECONDS = 8 * 3_600;
const OPERATOR_TYP = 'operator+jwt';

export function createOperators({ adminToken, dataDir, clock, log }: OperatorsOptions): Operators {
  const trail = join(dataDir, 'audit.jsonl');
  // From the operators' token and nobody else's secret: whoever may vouch for users makes no operators by that.
  const secret = createHmac('sha256', adminToken).update('fairline operator sessions').digest('base64url');
  const sign = createTokenSigner({ secret, typ: OPERATOR_TYP });
  const verify = createTokenVerifier({ secrets: [secret], typ: OPERATOR_TYP, read: ({ sub }) => sub, clock });

  function isOperator(headers: IncomingHttpHeaders): boolean {
    const { authorization, cookie } = headers;
    if (authorization !== undefined) return isSameSecret(bearerOf(authorization), adminToken);
    const session = readCookie(cookie, OPERATOR_COOKIE);
    return session !== undefined && isFromOwnPage(headers) && verify(session) !== undefined;
  }

  return {
    require(headers) {
      if (!isOperator(headers)) throw new AppError('OPERATOR_ONLY');
    },
    issue(userId) {
      const iat = Math.floor(clock.now() / 1000);
      return sign({ sub: userId, iat, exp: iat + OPERATOR_SESSION_SECONDS });
    },
    async audit(entry) {
      const line = { at: new Date(clock.now()).toISOString(), ...entry };
      log.info({ audit: line }, `operator: ${entry.action} ${entry.eventId}`);
      await appendFile(trail, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
  };
}

/** A browser says where a request comes from, and no page can make it say otherwise. */
function isFromOwnPage({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

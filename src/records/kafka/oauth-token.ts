/** The OAuth token with which we sign in at a broker: from a file, or from a token endpoint by client credentials. */
import { readFile } from 'node:fs/promises';
import type { OAuthTokenSource } from '../kafka-config.ts';

const TIMEOUT_MS = 3_000;
const LONGEST_ANSWER = 64 * 1024;
/** A new token is asked for when this share of the lifetime of the last one is over. */
const USED_SHARE = 0.8;
/** If the endpoint does not say how long a token lasts. */
const UNKNOWN_LIFETIME_SECONDS = 60;

/** No token could be had. The message says what to do, and contains no secret. */
export class OAuthTokenError extends Error {
  override readonly name = 'OAuthTokenError';
}

/** Called for every connection and every time a broker wants the token again. */
export function createTokenProvider(source: OAuthTokenSource, now: () => number = Date.now): () => Promise<string> {
  if ('file' in source) return () => readToken(source.file);
  let kept: { token: string; until: number } | undefined;
  let asked: Promise<string> | undefined;
  const ask = async () => {
    const { token, lifetimeSeconds } = await fetchToken(source);
    kept = { token, until: now() + lifetimeSeconds * 1000 * USED_SHARE };
    return token;
  };
  return () => {
    if (kept !== undefined && now() < kept.until) return Promise.resolve(kept.token);
    // One question for all connections that wait for it.
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

async function readToken(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(({ code }) => {
    throw new OAuthTokenError(`KAFKA_OAUTH_TOKEN_FILE=${path}: cannot be read (${code})`);
  });
  if (text.trim() === '') throw new OAuthTokenError(`KAFKA_OAUTH_TOKEN_FILE=${path}: the file is empty`);
  return text.trim();
}

interface FetchedToken {
  token: string;
  lifetimeSeconds: number;
}

async function fetchToken(source: Extract<OAuthTokenSource, { url: string }>): Promise<FetchedToken> {
  const { url, clientId, clientSecret, scope } = source;
  const where = `KAFKA_OAUTH_TOKEN_URL (${new URL(url).host})`;
  // As RFC 6749, 2.3.1 wants them: encoded for a form, then for Basic.
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
    // A redirect could send the secret elsewhere.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    throw new OAuthTokenError(
      `${where} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  const text = (await response.text()).slice(0, LONGEST_ANSWER);
  if (response.status === 400 || response.status === 401) {
    const advice = 'check KAFKA_OAUTH_CLIENT_ID, KAFKA_OAUTH_CLIENT_SECRET and KAFKA_OAUTH_SCOPE';
    throw new OAuthTokenError(`${where} refuses our credentials (${response.status}${errorIn(text)}); ${advice}`);
  }
  if (!response.ok) throw new OAuthTokenError(`${where} answers ${response.status}`);
  return parseToken(text, where);
}

function parseToken(text: string, where: string): FetchedToken {
  const { access_token: token, expires_in: seconds } = parse(text);
  if (typeof token !== 'string' || token === '') {
    throw new OAuthTokenError(`${where} answers without access_token; expected the token endpoint of the issuer`);
  }
  const lifetimeSeconds = typeof seconds === 'number' && seconds > 0 ? seconds : UNKNOWN_LIFETIME_SECONDS;
  return { token, lifetimeSeconds };
}

/** `invalid_client`: the words of RFC 6749 are safe to show, descriptions may quote what was sent. */
function errorIn(text: string): string {
  const { error } = parse(text);
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? `, ${error}` : '';
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * The identity provider that operators sign in at: OpenID Connect, code flow with PKCE, state and nonce. The id token's
 * signature is verified with the provider's current keys.
 */
import type * as openid from 'openid-client';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { findClaim } from '../roles/claimed-role.ts';
import { type ProviderOperator, type RoleClaim, toProviderOperator } from './provider-claims.ts';

/** What a browser must bring back with the provider's answer. */
export interface SignInFlow {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

export interface SignInProvider {
  /** For the button on the sign-in page. */
  name: string;
  begin(redirectUri: string): Promise<{ url: string; flow: SignInFlow }>;
  /** `query`: with which the provider sent the browser back. */
  complete(flow: SignInFlow, query: string): Promise<ProviderOperator>;
}

/** The provider cannot be reached, or does not answer in time. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';
}

/** The provider, or the check of its answer, refused the sign-in. */
export class ProviderRefusedError extends Error {
  override readonly name = 'ProviderRefusedError';
}

export interface SignInProviderOptions {
  issuer: string;
  clientId: string;
  /** undefined: a public client, which proves itself by PKCE alone. */
  clientSecret: string | undefined;
  scopes: string;
  role: RoleClaim;
  name: string;
  /** For durations. */
  stopwatch: Clock;
  log: Logger;
}

/** Below the ten seconds that the page waits. */
const TIMEOUT_SECONDS = 8;
/** How long the discovery document is used without asking again. While the provider is away, it is used on. */
const DISCOVERED_MS = 600_000;
/** After a failure the provider is left in peace for a moment, however many operators try. */
const RETRY_MS = 1_000;

type Client = typeof openid;
type Metadata = openid.ServerMetadata;

export function createSignInProvider(options: SignInProviderOptions): SignInProvider {
  const { scopes, role, name, log } = options;
  const { discover, forget } = cacheDiscovery(options);

  async function begin(redirectUri: string) {
    const client = await import('openid-client');
    const config = toConfiguration(client, await discover(), options);
    const flow = {
      redirectUri,
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: scopes,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow };
  }

  async function complete(flow: SignInFlow, query: string): Promise<ProviderOperator> {
    const client = await import('openid-client');
    const config = toConfiguration(client, await discover(), options);
    try {
      const tokens = await client.authorizationCodeGrant(config, new URL(`${flow.redirectUri}?${query}`), {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const more = await findMoreClaims(client, config, claims, tokens.access_token, role.claim);
      return toProviderOperator(claims.iss, claims.sub, { ...more, ...claims }, role);
    } catch (error) {
      // The provider may have changed more than its keys.
      forget();
      throw toProviderError(error, log);
    }
  }
  return { name, begin, complete };
}

/** Many providers put only the subject into the id token. */
async function findMoreClaims(
  client: Client,
  config: openid.Configuration,
  claims: openid.IDToken,
  accessToken: string,
  roleClaim: string,
): Promise<Record<string, unknown>> {
  const hasAll = claims.email !== undefined && findClaim(claims, roleClaim) !== undefined;
  if (hasAll || config.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(config, accessToken, claims.sub);
}

/** A new one each time: it remembers the provider's keys, which may have been rotated since the last sign-in. */
function toConfiguration(client: Client, metadata: Metadata, options: SignInProviderOptions): openid.Configuration {
  const { clientId, clientSecret, issuer } = options;
  const auth = clientSecret === undefined ? client.None() : toClientAuth(client, metadata, clientSecret);
  const config = new client.Configuration({ ...metadata }, clientId, undefined, auth);
  config.timeout = TIMEOUT_SECONDS;
  client.enableNonRepudiationChecks(config);
  if (isPlainHttp(issuer)) client.allowInsecureRequests(config);
  return config;
}

/** As the provider supports it; basic is what a provider supports that says nothing. */
function toClientAuth(client: Client, metadata: Metadata, clientSecret: string): openid.ClientAuth {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic')
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret);
}

/** The configuration allows it for this machine only. */
function isPlainHttp(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:';
}

/** One request for all that wait; the last document is used while the provider is away. */
function cacheDiscovery({ issuer, clientId, stopwatch, log }: SignInProviderOptions): Discovery {
  let known: { metadata: Metadata; at: number } | undefined;
  let asking: Promise<Metadata> | undefined;
  let failed: { error: ProviderUnavailableError; at: number } | undefined;

  async function ask(): Promise<Metadata> {
    const client = await import('openid-client');
    const config = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
      timeout: TIMEOUT_SECONDS,
      execute: isPlainHttp(issuer) ? [client.allowInsecureRequests] : [],
    });
    const metadata = config.serverMetadata();
    known = { metadata, at: stopwatch.now() };
    failed = undefined;
    return metadata;
  }

  function forget(): void {
    if (known !== undefined) known = { ...known, at: Number.NEGATIVE_INFINITY };
  }

  async function discover(): Promise<Metadata> {
    if (known !== undefined && stopwatch.now() - known.at < DISCOVERED_MS) return known.metadata;
    if (failed !== undefined && stopwatch.now() - failed.at < RETRY_MS) {
      if (known !== undefined) return known.metadata;
      throw failed.error;
    }
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    try {
      return await asking;
    } catch (error) {
      log.warn(`OPERATOR_ISSUER: no discovery document: ${describe(error)}; will retry with the next sign-in`);
      failed = { error: new ProviderUnavailableError('the identity provider cannot be reached'), at: stopwatch.now() };
      if (known !== undefined) return known.metadata;
      throw failed.error;
    }
  }
  return { discover, forget };
}

interface Discovery {
  discover(): Promise<Metadata>;
  /** Asks again at the next sign-in; while the provider is away, the last document is used on. */
  forget(): void;
}

/** Codes by which openid-client and undici say that there was no answer, or none of a working provider. */
const NO_ANSWER = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

function toProviderError(error: unknown, log: Logger): Error {
  log.warn(`an operator could not sign in at the identity provider: ${describe(error)}`);
  const { code } = error as { code?: string };
  // fetch throws a TypeError without a code when there is no connection.
  const isAway = code === undefined ? error instanceof TypeError : NO_ANSWER.includes(code);
  return isAway
    ? new ProviderUnavailableError('the identity provider cannot be reached')
    : new ProviderRefusedError('the identity provider refused the sign-in');
}

/** Codes only: messages and causes may quote what the provider sent. */
function describe(error: unknown): string {
  const { name, code, error: reason, cause } = error as Record<string, unknown>;
  const inner = (cause as { code?: unknown; name?: unknown } | undefined)?.code;
  return [name, code, reason, inner].filter((part) => typeof part === 'string').join(', ');
}

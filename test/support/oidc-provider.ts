/**
 * A real OpenID provider (oidc-provider) on a free port: clients, users with claims, key rotation, stop and start. Its
 * sign-in page asks for the name of a user and nothing else; it asks for no consent.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

export interface OidcClient {
  clientId: string;
  /** undefined: a public client. */
  clientSecret?: string;
  redirectUris: string[];
}

/** The claims of each user, by the id that the sign-in page asks for. `sub` is that id. */
export type OidcUsers = Record<string, Record<string, unknown>>;

export type KeyAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

export interface OidcProviderOptions {
  clients: OidcClient[];
  users: OidcUsers;
  /** Of the first key. */
  algorithm?: KeyAlgorithm;
  /** The audience of access tokens, which are JWTs then. undefined: they are opaque. */
  audience?: string;
}

export interface OidcProvider {
  issuer: string;
  /** May be changed while it runs. */
  users: OidcUsers;
  /** Signs with a new key from now on. The old ones stay published, unless `drop`. */
  rotateKeys(options?: { algorithm?: KeyAlgorithm; drop?: boolean }): void;
  /** Publishes only another key than the one that signs, as a forger would have it. */
  hideKeys(): void;
  /** Closes the port and all connections. */
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  /** The tokens of a user, as a client gets them by the code flow. */
  signIn(user: string, client: OidcClient, scope?: string): Promise<Record<string, string>>;
  /** How often each path was requested. */
  requests: Map<string, number>;
}

/** Stopped after the test; call it in a test. */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const { users } = options;
  const requests = new Map<string, number>();
  let keys = [createKey(options.algorithm ?? 'RS256')];
  let shown: object | undefined;
  let port = 0;
  let server: Server | undefined;
  let provider: Provider;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;

  const issuer = () => `http://127.0.0.1:${port}`;
  // Grants and codes are kept by the module, so a new instance with other keys goes on with them.
  function create(): void {
    provider = new Provider(issuer(), toConfiguration({ ...options, issuer: issuer(), keys }));
    handle = provider.callback();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, issuer());
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
    if (pathname === '/jwks' && shown !== undefined) {
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [shown] }));
    }
    if (!pathname.startsWith('/sign-in/')) return handle(request, response);
    if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(SIGN_IN_PAGE);
    const user = new URLSearchParams(await readBody(request)).get('user') ?? '';
    const result = user in users ? { login: { accountId: user } } : { error: 'access_denied' };
    await provider.interactionFinished(request, response, result);
  }

  async function start(): Promise<void> {
    server = createServer((request, response) => {
      answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    const closing = server;
    server = undefined;
    closing?.closeAllConnections();
    await new Promise<void>((resolve) => (closing === undefined ? resolve() : closing.close(() => resolve())));
  }

  await start();
  create();
  onTestFinished(stop);
  return {
    issuer: issuer(),
    users,
    requests,
    rotateKeys({ algorithm = 'RS256', drop = false } = {}) {
      keys = [createKey(algorithm), ...(drop ? [] : keys)];
      create();
    },
    hideKeys() {
      const { kty, n, e } = createKey('RS256');
      shown = { kty, n, e, alg: 'RS256', use: 'sig', kid: keys[0]!.kid };
    },
    stop,
    start,
    signIn: (user, client, scope = 'openid email profile') => signIn(issuer(), user, client, scope),
  };
}

const SIGN_IN_PAGE =
  '<!doctype html><title>Sign in</title><form method="post"><input name="user" autofocus><button>Sign in</button></form>';

function createKey(alg: KeyAlgorithm): Record<string, unknown> {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg, use: 'sig' };
}

function toConfiguration({
  clients,
  users,
  audience,
  issuer,
  keys,
}: OidcProviderOptions & { issuer: string; keys: Record<string, unknown>[] }): Record<string, unknown> {
  const alg = keys[0]!.alg;
  return {
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: alg,
      ...(clientSecret === undefined
        ? { token_endpoint_auth_method: 'none' }
        : { client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_basic' }),
    })),
    jwks: { keys },
    cookies: { keys: ['signs the cookies of the test provider'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles', 'groups'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: toResources(audience, issuer, alg),
    },
    ttl: { AccessToken: 3_600, AuthorizationCode: 60, Grant: 3_600, IdToken: 3_600, Interaction: 600, Session: 3_600 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...users[id] }),
    }),
    loadExistingGrant: grantEverything,
    renderError: (context: { body: string }, out: object) => {
      context.body = JSON.stringify(out);
    },
  };
}

function toResources(audience: string | undefined, issuer: string, alg: unknown): Record<string, unknown> {
  const info = { scope: 'openid', audience, accessTokenFormat: 'jwt', jwt: { sign: { alg } } };
  return audience === undefined
    ? { enabled: false }
    : {
        enabled: true,
        defaultResource: () => `${issuer}/resource`,
        useGrantedResource: () => true,
        getResourceServerInfo: () => info,
      };
}

interface GrantContext {
  oidc: {
    provider: { Grant: new (of: object) => GrantedScopes };
    client: { clientId: string };
    session: { accountId: string };
    params: { scope: string };
    resourceServers?: Record<string, unknown>;
  };
}
interface GrantedScopes {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<void>;
}

/** Consents for the user. */
async function grantEverything({ oidc }: GrantContext): Promise<GrantedScopes> {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope(oidc.params.scope);
  for (const resource of Object.keys(oidc.resourceServers ?? {})) grant.addResourceScope(resource, oidc.params.scope);
  await grant.save();
  return grant;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** The code flow without a browser. */
async function signIn(issuer: string, user: string, client: OidcClient, scope: string) {
  const verifier = randomUUID() + randomUUID();
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url');
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUris[0]!,
    response_type: 'code',
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const code = await findCode(`${issuer}/auth?${query}`, user, client.redirectUris[0]!);
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: client.clientSecret === undefined ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUris[0]!,
      code_verifier: verifier,
      client_id: client.clientId,
    }),
  });
  const tokens = (await answer.json()) as Record<string, string>;
  if (!answer.ok) throw new Error(`the provider refused the code: ${JSON.stringify(tokens)}`);
  return tokens;
}

/** Follows the redirects with cookies, as a browser does, and signs in where it is asked to. */
export async function followSignIn(start: string, user: string, redirectUri: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    if (url.startsWith(redirectUri)) return new URL(url);
    const isSignIn = new URL(url).pathname.startsWith('/sign-in/');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isSignIn ? { method: 'POST', body: new URLSearchParams({ user }) } : {}),
    });
    for (const text of response.headers.getSetCookie()) {
      const [name, value] = text.split(';')[0]!.split('=') as [string, string];
      jar.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url).href;
  }
  throw new Error('the provider redirects without end');
}

async function findCode(start: string, user: string, redirectUri: string): Promise<string> {
  const answer = await followSignIn(start, user, redirectUri);
  const code = answer.searchParams.get('code');
  if (code === null) throw new Error(`the provider refused: ${answer.search}`);
  return code;
}

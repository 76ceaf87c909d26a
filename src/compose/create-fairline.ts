/**
 * Runs an instance inside another program, on the embedded stores: for tests of a shop that is protected by Fairline. The
 * package exports it as `fairline`. It reads no environment variables.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedSecrets } from '../config/secret-settings.ts';
import type { RoomChange } from '../line/model/room-settings.ts';
import type { Running } from './start.ts';

export interface FairlineOptions {
  /** Where the line is kept. Absent: a temporary folder, which `close` removes. */
  dataDir?: string | undefined;
  /** Default: a free port. */
  port?: number | undefined;
  /** true: also runs the shop, accounts and payments (in a sandbox), on an embedded database. */
  shop?: boolean | undefined;
  /** Any setting of docs/reference/configuration.md, by its name: `{ QUEUE_THRESHOLD: '2' }`. */
  settings?: Readonly<Record<string, string>> | undefined;
}

export interface Fairline {
  url: string;
  /** Bearer token of operators. */
  adminToken: string;
  dataDir: string;
  /** Options for the functions of `fairline/gate`: the address of the line, and what verifies its tokens. */
  gate: GateAccess;
  /** Creates a room or changes its settings; null resets one to its default. */
  putRoom(eventId: string, settings?: RoomChange): Promise<void>;
  /** With `shop`: puts an event on sale, with seats or tickets, and creates its room. */
  putEvent(eventId: string, event?: EventOptions): Promise<void>;
  /** A token of a user of your site, as your site issues it. Valid for an hour. */
  userToken(userId: string): Promise<string>;
  /** Stops the instance. Calling it again has no effect. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface GateAccess {
  lineUrl: string;
  serviceKey: string;
  /** `entry` and `vwr` only with HS256: a gate fetches public keys from `lineUrl`. */
  secrets: { auth: string; guest: string; entry?: string; vwr?: string };
}

export interface EventOptions {
  title?: string;
  /** ISO 8601. Default: in 30 days. */
  startsAt?: string;
  /** Default: one section `A` of 10 rows with 10 seats each. */
  sections?: readonly { id: string; name: string; rows: number; seatsPerRow: number; price: number }[];
  /** Tickets without seats. Default: none. */
  standing?: readonly { id: string; name: string; quantity: number; price: number }[];
}

/** What a test wants other than a sale: quick admissions, many visitors from one address, nothing on the disk for long. */
const testSettings = {
  HOST: '127.0.0.1',
  LOG_LEVEL: 'error',
  DEMO: 'off',
  JOURNAL_SYNC: 'off',
  QUEUE_ADMISSION_INTERVAL_MS: '100',
  LIMIT_JOIN_PER_VISITOR: '0',
  LIMIT_GUEST_JOIN_PER_IP: '0',
  LIMIT_VWR_ASSIGN_PER_DEVICE: '0',
  LIMIT_VWR_ASSIGN_PER_IP: '0',
  LIMIT_STREAMS_PER_IP: '0',
  LIMIT_HOLD_PER_VISITOR: '0',
  LIMIT_PAYMENT_PER_VISITOR: '0',
  LIMIT_SIGN_IN_PER_IP: '0',
};

const SEATS = [{ id: 'A', name: 'Stalls', rows: 10, seatsPerRow: 10, price: 1_000 }];
/** The first request to the shop creates its database. */
const TIMEOUT_MS = 120_000;
const DAY_MS = 86_400_000;

export async function createFairline(options: FairlineOptions = {}): Promise<Fairline> {
  const { port = 0, shop = false, settings = {} } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'fairline-')));
  const removeFolder = async () => {
    // A folder of the caller's stays.
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const defaults = { ...testSettings, PORT: `${port}`, SHOP: shop ? 'on' : 'off', SERVICE_KEY: randomSecret() };
  const env = { ...defaults, ...settings, DATA_DIR: dataDir };
  let running: Running | undefined;
  try {
    running = await startInstance(env);
    const gate = await findGateAccess(running.url, env);
    return createHandle({ ...running, dataDir, gate, removeFolder });
  } catch (error) {
    await running?.stop();
    await removeFolder();
    throw error;
  }
}

/** Loaded on the first call: a program that only imports the types or the function starts quickly. */
async function startInstance(env: Readonly<Record<string, string>>): Promise<Running> {
  const { readConfig } = await import('../config/read-config.ts');
  const { start } = await import('./start.ts');
  const { version } = createRequire(import.meta.url)('fairline/package.json') as { version: string };
  return start(readConfig(env), version);
}

type InstanceSettings = Readonly<Record<string, string> & { DATA_DIR: string; SERVICE_KEY: string }>;

/** Secrets are given by settings, or were generated into the folder. */
async function findGateAccess(lineUrl: string, env: InstanceSettings): Promise<GateAccess> {
  const kept = JSON.parse(await readFile(join(env.DATA_DIR, 'secrets.json'), 'utf8')) as Record<string, string>;
  const secretOf = (name: keyof typeof generatedSecrets) => env[generatedSecrets[name]] ?? kept[name]!;
  const secrets = { auth: secretOf('auth'), guest: secretOf('guest') };
  const serviceKey = env.SERVICE_KEY;
  if (await hasPublicKeys(lineUrl)) return { lineUrl, serviceKey, secrets };
  const shared = { entry: secretOf('entryToken'), vwr: secretOf('vwrToken') };
  return { lineUrl, serviceKey, secrets: { ...secrets, ...shared } };
}

/** Whether tokens are verified by public keys. A gate that has `entry` or `vwr` expects HS256. */
async function hasPublicKeys(url: string): Promise<boolean> {
  const response = await fetch(`${url}/.well-known/jwks.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { keys = [] } = (await response.json()) as { keys?: unknown[] };
  return response.ok && keys.length > 0;
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

interface Parts extends Pick<Running, 'url' | 'adminToken' | 'stop'> {
  dataDir: string;
  gate: GateAccess;
  removeFolder(): Promise<void>;
}

function createHandle({ url, adminToken, stop, dataDir, gate, removeFolder }: Parts): Fairline {
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= stop().then(removeFolder);
    return closed;
  };
  const ask = createAsk(url, adminToken);
  // A change must name a setting; an open room is the default.
  const putRoom = (eventId: string, settings: RoomChange = {}) =>
    ask('PUT', `/api/admin/rooms/${encodeURIComponent(eventId)}`, { state: 'open', ...settings });
  return {
    url,
    adminToken,
    dataDir,
    gate,
    putRoom,
    async putEvent(eventId, event = {}) {
      const { title = eventId, startsAt = new Date(Date.now() + 30 * DAY_MS).toISOString() } = event;
      const { standing = [], sections = standing.length > 0 ? [] : SEATS } = event;
      const path = `/api/admin/events/${encodeURIComponent(eventId)}`;
      await ask('PUT', `/api/admin/layouts/${encodeURIComponent(eventId)}`, { name: title, sections, standing });
      await ask('PUT', path, { title, startsAt });
      await ask('POST', `${path}/seats`, { layoutId: eventId });
      await ask('POST', `${path}/open`);
      await putRoom(eventId);
    },
    async userToken(userId) {
      const { SignJWT } = await import('jose');
      const token = new SignJWT().setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setSubject(userId);
      return token.setIssuedAt().setExpirationTime('1h').sign(new TextEncoder().encode(gate.secrets.auth));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A request of the operator. */
function createAsk(url: string, adminToken: string) {
  return async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  };
}

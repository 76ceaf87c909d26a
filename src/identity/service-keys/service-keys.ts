/** Creates, finds and revokes service keys, and notes their last use. */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { isSameSecret } from '../../platform/jwt/tokens.ts';
import type { Directory } from '../directory/directory.ts';
import type { OperatorRole } from '../roles/operator-roles.ts';
import {
  ADMIN_KEY_NAME,
  createKeyToken,
  hasExpired,
  hashKeyToken,
  isReservedName,
  type KeyUse,
  type ServiceKey,
  type StoredKey,
} from './service-key.ts';

export interface ServiceKeysOptions {
  directory: Directory;
  adminToken: string;
  clock: Clock;
  log: Logger;
}

export interface NewKey {
  name: string;
  role: OperatorRole;
  expiresAt?: number | undefined;
  createdBy: string;
}

export interface ListedKey extends Omit<ServiceKey, 'id'> {
  /** undefined: ADMIN_TOKEN, which is a setting. */
  created?: { at: number; by: string };
  lastUse?: KeyUse;
}

const MOST_KEYS = 200;
/** The last use is written at most this often per key. */
const NOTE_EVERY_MS = 60_000;
const ADMIN_KEY: ServiceKey = { name: ADMIN_KEY_NAME, id: ADMIN_KEY_NAME, role: 'admin' };

export class ServiceKeys {
  readonly #options: ServiceKeysOptions;
  /** When the last use of each key was written, by name; at most one per key. */
  readonly #noted = new Map<string, number>();

  constructor(options: ServiceKeysOptions) {
    this.#options = options;
  }

  /** The key of a bearer token; undefined: there is none, or it has expired. */
  async find(token: string): Promise<ServiceKey | undefined> {
    if (isSameSecret(token, this.#options.adminToken)) return ADMIN_KEY;
    const hash = hashKeyToken(token);
    if (hash === undefined) return undefined;
    return this.#search((_name, key) => key.hash === hash);
  }

  /** The same key as when a session began with it. */
  async findAgain(name: string, id: string): Promise<ServiceKey | undefined> {
    if (name === ADMIN_KEY_NAME) return ADMIN_KEY;
    return this.#search((other, key) => other === name && key.id === id);
  }

  async #search(isMeant: (name: string, key: StoredKey) => boolean): Promise<ServiceKey | undefined> {
    const { directory, clock } = this.#options;
    const found = await directory.search<StoredKey, readonly [string, StoredKey]>('key', (keys) =>
      [...keys].find(([name, key]) => isMeant(name, key)),
    );
    if (found === undefined || hasExpired(found[1], clock.now())) return undefined;
    const [name, { id, role, expiresAt }] = found;
    return { name, id, role, ...(expiresAt === undefined ? {} : { expiresAt }) };
  }

  /** The token is returned here and never again. */
  async create({ name, role, expiresAt, createdBy }: NewKey) {
    const { directory, clock } = this.#options;
    if (isReservedName(name)) return { outcome: 'exists' as const };
    if ((await directory.read('key')).size >= MOST_KEYS) return { outcome: 'full' as const };
    const token = createKeyToken();
    const createdAt = clock.now();
    const limited = expiresAt === undefined ? {} : { expiresAt };
    const stored: StoredKey = {
      ...{ id: randomBytes(9).toString('base64url'), hash: hashKeyToken(token)!, role, ...limited },
      ...{ createdAt, createdBy },
    };
    if (!(await directory.create('key', name, stored))) return { outcome: 'exists' as const };
    const key: ListedKey = { name, role, ...limited, created: { at: createdAt, by: createdBy } };
    return { outcome: 'created' as const, key, token };
  }

  /** False: there is no such key. */
  async revoke(name: string): Promise<boolean> {
    const { directory } = this.#options;
    const isRevoked = await directory.remove('key', name);
    await directory.remove('use', name);
    this.#noted.delete(name);
    return isRevoked;
  }

  /** By name, ADMIN_TOKEN first. */
  async list(): Promise<ListedKey[]> {
    const { directory } = this.#options;
    const [keys, uses] = await Promise.all([directory.read<StoredKey>('key'), directory.read<KeyUse>('use')]);
    const lastUse = (name: string) => (uses.has(name) ? { lastUse: uses.get(name)! } : {});
    const listed = [...keys].map(([name, { role, expiresAt, createdAt, createdBy }]) => ({
      ...{ name, role, created: { at: createdAt, by: createdBy } },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...lastUse(name),
    }));
    listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    return [{ name: ADMIN_KEY_NAME, role: 'admin', ...lastUse(ADMIN_KEY_NAME) }, ...listed];
  }

  /** In the background: a request does not wait for it, and its failure changes nothing. */
  noteUse({ name }: ServiceKey, from: string): void {
    const { directory, clock, log } = this.#options;
    const at = clock.now();
    const noted = this.#noted.get(name);
    if (noted !== undefined && at - noted < NOTE_EVERY_MS) return;
    this.#noted.set(name, at);
    directory.put('use', name, { at, from } satisfies KeyUse).catch((error) => {
      this.#noted.delete(name);
      log.debug({ err: error }, 'the last use of a service key was not noted');
    });
  }
}

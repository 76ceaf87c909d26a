/** The consumer group with which dispatchers read the entry stream of one event. */
import type { RedisClient } from '../../platform/redis/scripts.ts';

export interface Admission {
  id: string;
  visitor: string;
}

type Entry = [id: string, fields: string[]];

const GROUP = 'dispatchers';
/** One consumer name for all dispatchers: only the idle time of an entry matters, and no dead names pile up. */
const CONSUMER = 'dispatcher';
const READ_AT_ONCE = 500;

export class EntryGroup {
  readonly #client: RedisClient;
  readonly #key: string;

  constructor(client: RedisClient, key: string) {
    this.#client = client;
    this.#key = key;
  }

  /** Entries that no dispatcher has read yet. */
  async read(): Promise<Admission[]> {
    const reply = await this.#withGroup(() =>
      this.#client.xreadgroup('GROUP', GROUP, CONSUMER, 'COUNT', READ_AT_ONCE, 'STREAMS', this.#key, '>'),
    );
    const [stream] = (reply ?? []) as [string, Entry[]][];
    return (stream?.[1] ?? []).map(toAdmission);
  }

  /** Entries that were read longer ago than this and not finished. */
  async claimStale(olderThanMs: number): Promise<Admission[]> {
    const reply = await this.#withGroup(() =>
      this.#client.xautoclaim(this.#key, GROUP, CONSUMER, olderThanMs, '0', 'COUNT', READ_AT_ONCE),
    );
    const [, entries] = reply as [string, Entry[]];
    return entries.map(toAdmission);
  }

  isFull(admissions: readonly Admission[]): boolean {
    return admissions.length === READ_AT_ONCE;
  }

  async finish(admissions: readonly Admission[]): Promise<void> {
    await this.#client.xack(this.#key, GROUP, ...admissions.map(({ id }) => id));
  }

  /** Creates a missing group from the start of the stream: visitors admitted before it may still wait for a hint. */
  async #withGroup<T>(command: () => Promise<T>): Promise<T> {
    try {
      return await command();
    } catch (error) {
      if (!startsWith(error, 'NOGROUP')) throw error;
    }
    await this.#client.xgroup('CREATE', this.#key, GROUP, '0', 'MKSTREAM').catch((error: unknown) => {
      // Another dispatcher created it first.
      if (!startsWith(error, 'BUSYGROUP')) throw error;
    });
    return command();
  }
}

function toAdmission([id, fields]: Entry): Admission {
  return { id, visitor: fields[fields.indexOf('visitor') + 1]! };
}

function startsWith(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}

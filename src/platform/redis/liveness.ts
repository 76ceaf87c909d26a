/**
 * Knows which Redis servers answer: one that hangs is known within 500 ms. Calls under way then have another 500 ms instead
 * of their own timeout, and from then on calls fail at once.
 */
import { Cluster, type Redis } from 'ioredis';
import { StoreUnavailableError } from '../store-unavailable-error.ts';
import { keySlot } from './key-slot.ts';
import type { RedisClient } from './scripts.ts';
import { ServerPing } from './server-ping.ts';

/** How often the masters of a cluster are listed, and asked for again while one of them is away. */
const LIST_EVERY_MS = 500;

export class Liveness {
  readonly #client: RedisClient;
  /** By host:port. A cluster has one for each master: one that hangs says nothing about the others. */
  readonly #pings = new Map<string, ServerPing>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(client: RedisClient) {
    this.#client = client;
    if (client instanceof Cluster) {
      this.#listMasters(client);
      this.#timer = setInterval(() => this.#listMasters(client), LIST_EVERY_MS).unref();
    } else this.#pings.set('', new ServerPing(client));
    client.once('end', () => this.stop());
  }

  /** Why Redis cannot be used now; undefined if it can. In a cluster, `key` names the server that is meant. */
  fault(key?: string): string | undefined {
    const { status } = this.#client;
    if (status !== 'ready') return `Redis is not connected (${status})`;
    const ping = this.#pingOf(key);
    return this.#client instanceof Cluster ? ping?.fault() : ping?.silence();
  }

  /** Runs a command of this client; rejects with StoreUnavailableError while its server is known to be away. */
  async run<T>(command: () => Promise<T>, key?: string): Promise<T> {
    const { status } = this.#client;
    if (status !== 'ready') throw new StoreUnavailableError(`Redis is not connected (${status})`);
    const ping = this.#pingOf(key);
    return ping === undefined ? command() : ping.run(command);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const ping of this.#pings.values()) ping.stop();
    this.#pings.clear();
  }

  #pingOf(key: string | undefined): ServerPing | undefined {
    if (!(this.#client instanceof Cluster)) return this.#pings.get('');
    const [master] = (key !== undefined && this.#client.slots[keySlot(key)]) || [];
    return master === undefined ? undefined : this.#pings.get(master);
  }

  #listMasters(cluster: Cluster): void {
    if (cluster.status !== 'ready') return;
    const masters = new Map(cluster.nodes('master').map((node) => [nameOf(node), node]));
    for (const [name, ping] of this.#pings) {
      if (masters.has(name)) continue;
      ping.stop();
      this.#pings.delete(name);
    }
    for (const [name, node] of masters) {
      if (!this.#pings.has(name)) this.#pings.set(name, new ServerPing(node));
    }
    // Its successor is found by asking the others: a server that hangs cannot say that it was replaced.
    const isOneAway = [...this.#pings.values()].some((ping) => ping.fault() !== undefined);
    if (isOneAway) cluster.refreshSlotsCache();
  }
}

function nameOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`;
}

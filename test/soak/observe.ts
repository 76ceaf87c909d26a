/**
 * Looks at the system from outside while it runs: admissions and sizes of rooms straight from the store (the keys are documented in
 * docs/guides/redis.md), readiness and memory of every process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import type { Recorder } from './history.ts';
import type { System } from './system/system.ts';

export interface Observer {
  /** Also looks at this room from now on; the last 40 are kept. */
  watch(eventId: string): void;
  readonly client: Redis | Cluster;
  stop(): Promise<void>;
}

const MOST_ROOMS = 40;
const SAMPLE_MS = 100;
const READINESS_MS = 1_000;
const MEMORY_MS = 5_000;
/** A process that takes longer for a trivial answer, or a timer that is later, was not running. */
const STALLED_MS = 500;
const LATE_MS = 50;
const MOST_ENTRIES = 1_000;

export function startObserver(system: System, recorder: Recorder, remembersMemory: boolean): Observer {
  const client = connect(system);
  const stopping = new AbortController();
  const rooms = new Map<string, string>();
  const every = async (ms: number, look: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await look().catch(() => {});
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = [
    watchTimers(recorder, stopping.signal),
    every(SAMPLE_MS, () => sampleRooms(client, rooms, recorder)),
    every(READINESS_MS, () => lookAtReadiness(system, recorder)),
    ...(remembersMemory ? [every(MEMORY_MS, () => lookAtMemory(system, recorder))] : []),
  ];
  return {
    client,
    watch(eventId) {
      const last = rooms.get(eventId) ?? '-';
      rooms.delete(eventId);
      rooms.set(eventId, last);
      const [oldest] = rooms.keys();
      if (rooms.size > MOST_ROOMS && oldest !== undefined) rooms.delete(oldest);
    },
    async stop() {
      // Admissions of the last moment.
      await sampleRooms(client, rooms, recorder).catch(() => {});
      stopping.abort();
      await Promise.all(running);
      client.disconnect();
    },
  };
}

/** Directly, not through the proxies. */
function connect({ stores }: System): Redis | Cluster {
  const options = { maxRetriesPerRequest: 1, commandTimeout: 1_000, enableOfflineQueue: false } as const;
  const nodes = stores.redis.map(({ server }) => ({ host: '127.0.0.1', port: server.port }));
  const client = stores.isCluster
    ? new Cluster(nodes, { redisOptions: options, enableOfflineQueue: false, clusterRetryStrategy: () => 100 })
    : new Redis({ ...nodes[0]!, ...options, retryStrategy: () => 100 });
  client.on('error', () => {});
  return client;
}

async function sampleRooms(client: Redis | Cluster, rooms: Map<string, string>, recorder: Recorder): Promise<void> {
  await Promise.all(
    [...rooms].map(async ([eventId, last]) => {
      const at = Date.now();
      const [inside, waiting, entries] = await Promise.all([
        // A session that is over has ended for everyone, whether or not it was cleaned up.
        client.zcount(`{${eventId}}:active`, `(${at}`, '+inf'),
        client.zcard(`{${eventId}}:queue`),
        client.xrange(`{${eventId}}:entry`, last === '-' ? '-' : `(${last}`, '+', 'COUNT', MOST_ENTRIES),
      ]);
      recorder.add({ kind: 'sample', at, until: Date.now(), eventId, inside, waiting });
      for (const [id, fields] of entries) {
        const number = Number(fields[fields.indexOf('number') + 1]);
        // Another look may have been under way.
        if (isLater(id, rooms.get(eventId))) rooms.set(eventId, id);
        else continue;
        recorder.add({ kind: 'entry', at: Number(id.split('-')[0]), eventId, number, id });
      }
    }),
  );
}

/** Ids of a stream are milliseconds, a hyphen and a count. */
function isLater(id: string, last = '-'): boolean {
  if (last === '-') return true;
  const [ms = 0, no = 0] = id.split('-').map(Number);
  const [lastMs = 0, lastNo = 0] = last.split('-').map(Number);
  return ms > lastMs || (ms === lastMs && no > lastNo);
}

/** Whether this process runs: if its timers are late, so is everything on this machine. */
async function watchTimers(recorder: Recorder, signal: AbortSignal): Promise<void> {
  for (let at = Date.now(); !signal.aborted; at = Date.now()) {
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => {});
    const until = Date.now();
    const lateMs = until - at - SAMPLE_MS;
    if (lateMs > STALLED_MS) recorder.add({ kind: 'stall', at, until, process: 'observer' });
    if (lateMs > LATE_MS) recorder.add({ kind: 'late', at, until });
  }
}

async function lookAtReadiness({ programs }: System, recorder: Recorder): Promise<void> {
  await Promise.all(
    programs.map(async (program) => {
      const at = Date.now();
      const process = program.incarnation;
      try {
        const response = await fetch(`${program.url}/ready`, { signal: AbortSignal.timeout(1_000) });
        const body = (await response.json()) as { error?: { message?: string } };
        const reason = body.error?.message;
        const seen = { kind: 'ready', at, until: Date.now(), process, status: response.status } as const;
        recorder.add(reason === undefined ? seen : { ...seen, reason });
      } catch {
        // Stopped, starting or suspended.
      }
      const until = Date.now();
      if (until - at > STALLED_MS) recorder.add({ kind: 'stall', at, until, process });
    }),
  );
}

async function lookAtMemory({ programs }: System, recorder: Recorder): Promise<void> {
  await Promise.all(
    programs.map(async (program) => {
      const process = program.incarnation;
      try {
        const response = await fetch(`${program.url}/metrics`, { signal: AbortSignal.timeout(2_000) });
        const text = await response.text();
        const rssBytes = metricOf(text, 'process_resident_memory_bytes');
        const heapBytes = metricOf(text, 'nodejs_heap_size_used_bytes');
        recorder.add({ kind: 'memory', at: Date.now(), role: program.name, process, rssBytes, heapBytes });
      } catch {
        // As above.
      }
    }),
  );
}

function metricOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
}

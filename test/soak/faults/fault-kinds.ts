/** The kinds of faults: what each does to the system, and how it is undone. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBE } from '../operator.ts';
import type { Chance } from '../random.ts';
import type { Program } from '../system/program.ts';
import type { ProxyFault, StoreProxy } from '../system/proxy.ts';
import type { System } from '../system/system.ts';

export type Area = 'line' | 'admitter' | 'shop' | 'records' | 'redis' | 'postgres' | 'kafka';

/** Rooms that exist all the time. */
const ROOMS = ['gallery', 'arena', 'turnstile'];

export interface FaultKind {
  name: string;
  area: Area;
  /** Things that it can be done to; two faults never hit the same thing at once. */
  targets: readonly string[];
  /** True if the system heals while the cause lasts: a failover. */
  healsItself?: boolean;
  /** How long it lasts, in milliseconds. */
  lasts: readonly [number, number];
  /** Resolves when it is under way, to the way back. */
  begin(target: string, chance: Chance): Promise<() => Promise<void>>;
}

export function faultKindsOf(system: System): FaultKind[] {
  return [
    ...programFaults(system),
    ...(system.stores.isCluster ? clusterFaults(system) : redisFaults(system)),
    ...databaseFaults(system),
    ...logFaults(system),
  ];
}

function programFaults({ programs, lines }: System): FaultKind[] {
  const areas: Area[] = ['line', 'admitter', 'shop', 'records'];
  const find = (name: string) => programs.find((program) => program.name === name)!;
  const kinds = areas.flatMap((area): FaultKind[] => {
    const targets = programs.filter(({ name }) => name.startsWith(area)).map(({ name }) => name);
    if (targets.length === 0) return [];
    return [
      kind(`kill-${area}`, area, targets, [0, 1_500], async (name) => {
        await find(name).end('SIGKILL');
        return () => startAgain(find(name));
      }),
      kind(`stop-${area}`, area, targets, [500, 6_000], async (name) => {
        find(name).freeze();
        return async () => find(name).resume();
      }),
      kind(`restart-${area}`, area, targets, [0, 0], async (name) => {
        await find(name).end('SIGTERM');
        return () => startAgain(find(name));
      }),
      kind(`clock-${area}`, area, targets, [1_000, 5_000], async (name, chance) => {
        shiftClock(find(name), chance.pick([-60_000, -5_000, 3_000, 5_000]));
        return async () => shiftClock(find(name), 0);
      }),
    ];
  });
  const roll = kind('roll-lines', 'line', ['all lines'], [0, 0], async () => {
    // One after the other, as a deployment does; each is back before the next goes.
    for (const line of lines) {
      await line.end('SIGTERM');
      await startAgain(line);
    }
    return async () => {};
  });
  return [...kinds, roll];
}

function shiftClock(program: Program, ms: number): void {
  writeFileSync(program.clockFile, String(ms));
  program.nudgeClock();
}

/** The cause is gone when the process listens: how fast a machine starts one says nothing about recovery. */
async function startAgain(program: Program): Promise<void> {
  program.start();

  for (let tries = 0; tries < 600; tries += 1) {
    const isHealthy = await fetch(`${program.url}/health`, { signal: AbortSignal.timeout(500) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function redisFaults({ stores }: System): FaultKind[] {
  const { server, proxy } = stores.redis[0]!;
  const targets = ['redis'];
  return [
    kind('redis-kill', 'redis', targets, [0, 4_000], async () => {
      await server.kill();
      return () => server.start();
    }),
    kind('redis-stop', 'redis', targets, [300, 5_000], async () => {
      server.pause();
      return async () => server.resume();
    }),
    ...proxyFaults('redis', 'redis', targets, proxy),
    ...(stores.smallDisk === undefined ? [] : [fullDisk(stores.smallDisk, targets)]),
  ];
}

/** Redis cannot write its log any more, and refuses writes until there is room again. */
function fullDisk(folder: string, targets: readonly string[]): FaultKind {
  const file = join(folder, 'filling', 'ballast');
  return kind('redis-disk-full', 'redis', targets, [1_500, 5_000], async () => {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' });
    } catch {
      // It always ends with "no space left on device".
    }
    return async () => rmSync(file, { force: true });
  });
}

/** All nodes count as one target: a cluster of masters with one replica each survives one loss at a time. */
function clusterFaults(system: System): FaultKind[] {
  return clusterKinds(system).map((one) => ({
    ...one,
    async begin(target, chance) {
      // Places are on two servers. A second loss before the first is made good would lose them by design.
      await untilReplicated(system.stores.redis.map(({ server }) => server.port));
      return one.begin(target, chance);
    },
  }));
}

const REPLICATED_TRIES = 300;

/** Every node answers, and every replica has what its master has. */
async function untilReplicated(ports: readonly number[]): Promise<void> {
  const isWhole = (port: number) => {
    const info = askNode(port, ['INFO', 'replication']);
    return info.includes('role:master') ? /state=online/.test(info) : info.includes('master_link_status:up');
  };
  for (let tries = 0; tries < REPLICATED_TRIES && !ports.every(isWhole); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

function clusterKinds({ stores, waitReplicas }: System): FaultKind[] {
  const targets = ['redis'];
  const find = (name: string) => stores.redis.filter(({ server }) => isMasterOf(server.port, name));
  /** Mostly the master of a room that the crowd or the probes use. */
  const pick = (chance: Chance) => {
    const masters = [PROBE, ...ROOMS].flatMap((name) => find(name));
    return masters.length > 0 && chance.happens(0.8) ? chance.pick(masters) : chance.pick(stores.redis);
  };
  const probed = (chance: Chance) => find(PROBE)[0] ?? chance.pick(stores.redis);
  // With waiting, and one replica per master, nothing is acknowledged until the lost node is back.
  const healsItself = waitReplicas === 0;
  return [
    {
      ...kind('cluster-kill-master', 'redis', targets, [6_000, 9_000], async (_, chance) => {
        const { server } = probed(chance);
        await server.kill();
        return () => server.start();
      }),
      healsItself,
    },
    {
      ...kind('cluster-stop-master', 'redis', targets, [500, 9_000], async (_, chance) => {
        const { server } = probed(chance);
        server.pause();
        return async () => server.resume();
      }),
    },
    kind('cluster-kill-node', 'redis', targets, [0, 4_000], async (_, chance) => {
      const { server } = chance.pick(stores.redis);
      await server.kill();
      return () => server.start();
    }),
    kind('cluster-failover', 'redis', targets, [0, 500], async (_, chance) => {
      const replicas = stores.redis.filter(({ server }) => isReplica(server.port));
      if (replicas.length > 0) askNode(chance.pick(replicas).server.port, ['CLUSTER', 'FAILOVER']);
      return async () => {};
    }),
    ...(['delay', 'blackhole', 'mute', 'lose-replies', 'cut'] as const).map((how) =>
      kind(`cluster-${how}`, 'redis', targets, [500, 4_000], async (_, chance) => {
        const { proxy } = pick(chance);
        proxy.set(proxyFault(how, chance));
        return async () => proxy.set({ how: 'none' });
      }),
    ),
  ];
}

function askNode(port: number, words: string[]): string {
  try {
    return execFileSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8', timeout: 2_000 });
  } catch {
    return '';
  }
}

/** Whether this node serves the keys of this room. */
const isMasterOf = (port: number, room: string) =>
  !isReplica(port) && /^\d+$/.test(askNode(port, ['EXISTS', `{${room}}:room`]).trim());

const isReplica = (port: number) => askNode(port, ['ROLE']).startsWith('slave');

function databaseFaults({ stores }: System): FaultKind[] {
  const { postgres } = stores;
  if (postgres === undefined) return [];
  const targets = ['postgres'];
  return [
    kind('postgres-kill', 'postgres', targets, [0, 4_000], async () => {
      await postgres.server.halt();
      return () => postgres.server.resume();
    }),
    kind('postgres-stop', 'postgres', targets, [300, 4_000], async () => suspend('postgres')),
    ...proxyFaults('postgres', 'postgres', targets, postgres.proxy),
  ];
}

function logFaults({ stores }: System): FaultKind[] {
  const { kafka } = stores;
  if (kafka === undefined) return [];
  const targets = ['kafka'];
  return [
    kind('kafka-kill', 'kafka', targets, [0, 2_000], async () => {
      await kafka.server.kill();
      // A broker takes its time on a busy machine.
      return () => kafka.server.start().catch(() => kafka.server.kill().then(() => kafka.server.start()));
    }),
    kind('kafka-stop', 'kafka', targets, [500, 5_000], async () => suspend('java')),
    ...proxyFaults('kafka', 'kafka', targets, kafka.proxy),
  ];
}

function proxyFaults(prefix: string, area: Area, targets: readonly string[], proxy: StoreProxy): FaultKind[] {
  const hows = ['delay', 'blackhole', 'mute', 'lose-replies', 'cut'] as const;
  return hows.map((how) =>
    kind(`${prefix}-${how}`, area, targets, [500, 4_000], async (_, chance) => {
      proxy.set(proxyFault(how, chance));
      return async () => proxy.set({ how: 'none' });
    }),
  );
}

function proxyFault(how: Exclude<ProxyFault['how'], 'none'>, chance: Chance): ProxyFault {
  if (how === 'delay') return { how, ms: chance.between(20, 400) };
  if (how === 'lose-replies') return { how, each: chance.between(3, 40) };
  return { how };
}

/** Stops a server that this process started, with its children. */
async function suspend(program: string): Promise<() => Promise<void>> {
  const pids = childrenOf(process.pid, program).flatMap((pid) => [pid, ...childrenOf(pid)]);
  for (const pid of pids) signal(pid, 'SIGSTOP');
  return async () => {
    for (const pid of pids) signal(pid, 'SIGCONT');
  };
}

function childrenOf(pid: number, program?: string): number[] {
  const filter = program === undefined ? [] : ['-x', program];
  try {
    return execFileSync('pgrep', ['-P', String(pid), ...filter], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited.
  }
}

function kind(
  name: string,
  area: Area,
  targets: readonly string[],
  lasts: readonly [number, number],
  begin: FaultKind['begin'],
): FaultKind {
  return { name, area, targets, lasts, begin };
}

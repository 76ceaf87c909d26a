/**
 * `fairline gate` beside nginx and Caddy, as reverse proxies in front of the same site, and the site alone. Two relays that
 * decide nothing show what any proxy on Node costs. All are measured in short alternating rounds with the same requests:
 * rate, latency, and the CPU time of all processes of the proxy per request, which depends less on what else the machine
 * does.
 */
import { cpuMicros } from './cpu-time.ts';
import { isInstalled, startCaddy, startNginx } from './gate-rivals.ts';
import { type LoadResult, runLoad } from './load.ts';
import { benchSecrets, median, type Started, startProgram } from './processes.ts';
import { type BenchRow, effort, round2 } from './report.ts';

const ROUNDS = effort(5, 1);
const SECONDS = effort(2, 0.2);
const CONNECTIONS = [1, 50, 200];
/** The one that the README shows. */
const TYPICAL = 50;
const WORKERS = 2;
export const OURS = 'fairline gate';
/** A proxy on Node without HTTP, and one without a gate. Measured with one connection, where nothing else is waited for. */
const RELAYS = { 'TCP relay on Node': 'tcp', 'HTTP relay on Node': 'http' };
const OURS_WITH_WORKERS = `fairline gate --workers ${WORKERS}`;

export interface Round extends LoadResult {
  cpuMicrosPerRequest: number;
}

/** `only`: part of the name of the proxies to measure besides the site; all if it is empty. */
export async function measureProxies(requests: string[], kind: string, only = ''): Promise<BenchRow[]> {
  const site = await startProgram('gate-upstream.js', [], {});
  const proxies = await startProxies(site.port, only);
  const relays = await startRelays(site.port, only);
  const rows: BenchRow[] = [];
  for (const connections of CONNECTIONS) {
    const targets = connections === 1 ? { site, ...proxies, ...relays } : { site, ...proxies };
    const rounds = await measureInTurns(targets, { connections, requests });
    rows.push(...toRows(rounds, `${kind}, ${connections === 1 ? 'one connection' : `${connections} connections`}`));
  }
  for (const started of [...Object.values(relays), ...Object.values(proxies), site]) await started.stop();
  return rows;
}

async function startRelays(site: number, only: string): Promise<Record<string, Started>> {
  const relays: Record<string, Started> = {};
  for (const [name, kind] of Object.entries(RELAYS)) {
    if (name.includes(only)) relays[name] = await startProgram('gate-relay.js', [kind, `${site}`], {});
  }
  return relays;
}

async function startProxies(site: number, only: string): Promise<Record<string, Started>> {
  const env = {
    ...benchSecrets,
    PORT: '0',
    LOG_LEVEL: 'warn',
    GATE_VWR_EVENTS: 'all',
    LIMIT_GATE_REQUESTS_PER_IP: '0',
  };
  const gate = (...args: string[]) =>
    startProgram('../src/main.js', ['gate', '--upstream', `http://127.0.0.1:${site}`, ...args], env);
  const ways: Record<string, (() => Promise<Started>) | undefined> = {
    [OURS]: () => gate(),
    [OURS_WITH_WORKERS]: () => gate('--workers', String(WORKERS)),
    nginx: isInstalled('nginx') ? () => startNginx({ site }) : undefined,
    Caddy: isInstalled('caddy') ? () => startCaddy(site) : undefined,
  };
  const proxies: Record<string, Started> = {};
  for (const [name, start] of Object.entries(ways)) {
    if (start !== undefined && name.includes(only)) proxies[name] = await start();
  }
  return proxies;
}

export async function measureInTurns(
  targets: Record<string, Started>,
  { connections, requests }: { connections: number; requests: string[] },
): Promise<Record<string, Round[]>> {
  const load = { connections, seconds: SECONDS, requests, repeat: true };
  const rounds: Record<string, Round[]> = {};
  for (const [name, { port }] of Object.entries(targets)) {
    rounds[name] = [];
    await runLoad({ ...load, port });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets)) rounds[name]!.push(await measureOnce(target, load));
  }
  return rounds;
}

async function measureOnce({ port, child }: Started, load: Omit<Parameters<typeof runLoad>[0], 'port'>) {
  const before = cpuMicros(child.pid!);
  const result = await runLoad({ ...load, port });
  const bad = Object.keys(result.statuses).filter((status) => status !== '200');
  if (bad.length > 0) throw new Error(`${child.spawnargs.join(' ')} answered ${JSON.stringify(result.statuses)}`);
  return { ...result, cpuMicrosPerRequest: (cpuMicros(child.pid!) - before) / result.answered };
}

function toRows(rounds: Record<string, Round[]>, kind: string): BenchRow[] {
  const { site, ...proxies } = rounds;
  const floor = summaryOf(site!);
  const toRival = (name: string, rival: string) => {
    const [one, other] = [proxies[name], proxies[rival]];
    if (one === undefined || other === undefined || name === rival) return {};
    return { [`to ${rival}`]: round2(median(one.map((round, i) => round.perSecond / other[i]!.perSecond))) };
  };
  return [
    { what: `the site alone, ${kind}`, unit: '/s', ours: floor.perSecond, more: floor.more },
    ...Object.keys(proxies).map((name) => {
      const { perSecond, more } = summaryOf(proxies[name]!);
      const added = proxies[name]!.map(({ p50Ms }, i) => p50Ms - site![i]!.p50Ms);
      return {
        what: `${name}, ${kind}`,
        isDetail: !name.startsWith(OURS) || !kind.endsWith(` ${TYPICAL} connections`),
        unit: '/s',
        ours: perSecond,
        floor: floor.perSecond,
        toFloor: round2(median(proxies[name]!.map((round, i) => round.perSecond / site![i]!.perSecond))),
        more: { ...more, 'added p50 ms': round2(median(added)), ...toRival(name, 'nginx'), ...toRival(name, 'Caddy') },
      };
    }),
  ];
}

export function summaryOf(rounds: Round[]): { perSecond: number; more: Record<string, number> } {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    more: {
      'p50 ms': median(rounds.map(({ p50Ms }) => p50Ms)),
      'p99 ms': median(rounds.map(({ p99Ms }) => p99Ms)),
      'cpu us': Math.round(median(rounds.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest))),
    },
  };
}

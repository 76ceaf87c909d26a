/**
 * What key pairs cost beside secrets: CPU time per request of polls and joins over HTTP with EdDSA and HS256 beside the
 * floor, and of signing and verifying a token alone. CPU time instead of rates, so that other programs on the machine matter
 * less.
 */
import { createEntryTokens } from '../src/line/tokens/entry-tokens.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createPrivateSigningKey } from '../src/platform/jwt/signing-key.ts';
import { toVerifyingKey } from '../src/platform/jwt/verifying-key.ts';
import { createKey } from '../src/signing-keys/key-file.ts';
import type { KeyRing } from '../src/signing-keys/key-ring.ts';
import type { KindKeys } from '../src/signing-keys/kind-keys.ts';
import { UNNAMED } from '../src/signing-keys/token-names.ts';
import { cpuMicros } from './cpu-time.ts';
import { runLoad, toRequest } from './load.ts';
import { benchSecrets, median, putRoom, type Started, startFairline, startProgram, userTokens } from './processes.ts';
import { type BenchRow, effort, report, round2 } from './report.ts';

const CONNECTIONS = 50;
const ROUNDS = effort(6, 1);
const REQUESTS = effort(20_000, 500);
const ALONE = effort(5_000, 100);

const withPairs = { QUEUE_ENTRY_TOKEN_SECRET: '', VWR_TOKEN_SECRET: '' };
const servers: Record<string, Started> = {
  floor: await startProgram('floor.js', [], {}),
  HS256: await startFairline({ QUEUE_THRESHOLD: '1000000' }),
  EdDSA: await startFairline({ ...withPairs, QUEUE_THRESHOLD: '1000000' }),
};
for (const name of ['HS256', 'EdDSA']) {
  await putRoom(servers[name]!.port, 'waiting', { maxActive: 0 });
  await putRoom(servers[name]!.port, 'inside', { maxActive: 1_000_000 });
}

const known = userTokens('known', effort(2_000, 100));
const work: Record<string, (round: number) => string[]> = {
  'poll of a waiting visitor': () => repeat(known.map((token) => toRequest('GET', '/api/queue/status/waiting', token))),
  'poll of a visitor inside': () => repeat(known.map((token) => toRequest('GET', '/api/queue/status/inside', token))),
  'join, then waiting': (round) => fresh(`waits-${round}`, '/api/queue/check/waiting'),
  'join, then inside: signs a token': (round) => fresh(`enters-${round}`, '/api/queue/check/inside'),
};
for (const { port } of Object.values(servers)) {
  for (const event of ['waiting', 'inside']) {
    const joins = known.map((token) => toRequest('POST', `/api/queue/check/${event}`, token));
    await runLoad({ port, connections: CONNECTIONS, seconds: 60, requests: joins, repeat: false });
  }
}

const micros = new Map(
  Object.keys(work).map((what) => [what, { floor: [], HS256: [], EdDSA: [] } as Record<string, number[]>]),
);
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [what, create] of Object.entries(work)) {
    const requests = create(round);
    for (const [name, { port, child }] of Object.entries(servers)) {
      const before = cpuMicros(child.pid!);
      const { answered } = await runLoad({ port, connections: CONNECTIONS, seconds: 60, requests, repeat: false });
      // The first round warms up.
      if (round >= 0) micros.get(what)![name]!.push((cpuMicros(child.pid!) - before) / answered);
    }
  }
}
for (const server of Object.values(servers)) await server.stop();

const rows: BenchRow[] = [...micros].flatMap(([what, byServer]) => {
  const floor = median(byServer.floor!);
  return ['HS256', 'EdDSA'].map((name) => ({
    what: `${what}, ${name}`,
    unit: 'us of CPU',
    ours: round2(median(byServer[name]!)),
    floor: round2(floor),
    toFloor: round2(median(byServer[name]!.map((value, index) => value / byServer.floor![index]!))),
    isDetail: true,
  }));
});

/** One token alone, in this process. */
function measureAlone(name: string, keys: KeyRing | KindKeys): BenchRow[] {
  const admission = (index: number) => {
    const now = Date.now();
    const more = { number: index, joinedAt: now, admittedAt: now, expiresAt: now + 600_000 };
    return { state: 'active' as const, tokenId: `e.${index}`, ...more };
  };
  const time = (run: (index: number) => unknown): number => {
    const startedAt = process.cpuUsage();
    for (let index = 0; index < ALONE; index += 1) run(index);
    const { user, system } = process.cpuUsage(startedAt);
    return round2((user + system) / ALONE);
  };
  const tokens = createEntryTokens(keys, systemClock);
  for (let index = 0; index < ALONE; index += 1) tokens.issue('warm', 'mina', admission(index));
  const issued: string[] = [];
  const signing = time((index) => issued.push(tokens.issue('concert', 'mina', admission(index))));
  const again = time((index) => tokens.issue('concert', 'mina', admission(index % 100)));
  const first = time((index) => tokens.verify(issued[index]!));
  for (const token of issued.slice(0, 100)) tokens.verify(token);
  const later = time((index) => tokens.verify(issued[index % 100]!));
  const row = (what: string, ours: number) => ({ what: `${what}, ${name}`, unit: 'us of CPU', ours, isDetail: true });
  return [
    row('entry token: sign', signing),
    row('entry token: issue again', again),
    row('entry token: verify on the first visit', first),
    row('entry token: verify again', later),
  ];
}

const { jwk } = createKey('EdDSA', { now: 0, signsFrom: 0 });
const signing = createPrivateSigningKey(jwk);
const names = { ...UNNAMED, written: { iss: 'fairline', aud: 'fairline' } };
const pair: KindKeys = { currentKey: () => signing, keys: { keys: [toVerifyingKey({ ...jwk })!] }, names };
rows.push(...measureAlone('HS256', [benchSecrets.QUEUE_ENTRY_TOKEN_SECRET]), ...measureAlone('EdDSA', pair));

console.table(rows.map(({ isDetail, ...row }) => row));
report(rows);

function repeat(requests: string[]): string[] {
  return Array.from({ length: REQUESTS }, (_, index) => requests[index % requests.length]!);
}

function fresh(prefix: string, path: string): string[] {
  return userTokens(prefix, effort(5_000, 200)).map((token) => toRequest('POST', path, token));
}

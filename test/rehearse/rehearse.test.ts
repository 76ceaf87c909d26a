/** Rehearsals against the program, and against fake servers with one fault each. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rehearse } from '../../src/cli/rehearse.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { createSharedLine } from '../support/shared-line.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { createTestTerminal } from '../support/test-terminal.ts';
import { until } from '../support/until.ts';
import { type Fault, startFakeLine } from './fake-line.ts';

/** Response times depend on how busy this machine is, so most tests do not judge them. */
const PATIENT = ['--goal-p50', '60000', '--goal-p99', '60000'];
/** 30 visitors within a second and a half, each inside for a third of a second. */
const CROWD = ['--visitors', '30', '--arrival-minutes', '0.025', '--arrivals', 'steady', '--shopping', 'fixed:0.3'];

async function run(...args: string[]) {
  const folder = tempFolder();
  const kept = join(folder, 'secrets.json');
  writeFileSync(kept, JSON.stringify({ auth: secrets.AUTH_JWT_SECRET, adminToken: secrets.ADMIN_TOKEN }));
  const terminal = createTestTerminal();
  const identity = ['--secret-file', kept, '--operator-token-file', kept];
  const status = await rehearse.run([...identity, '--json', '--lang', 'en', ...args], terminal);
  const report = JSON.parse(terminal.printed());
  const missed = report.verdict.judgements.flatMap((one: { goal: string; isMet: boolean }) =>
    one.isMet ? [] : one.goal,
  );
  return { status, report, missed };
}

describe('a rehearsal against the program, embedded', () => {
  const start = () => startServer({ DATA_DIR: tempFolder(), SHOP: 'off', QUEUE_ADMISSION_INTERVAL_MS: '100' });

  it('meets every goal, by polling and on streams, and reports the prediction', async () => {
    const { url } = await start();
    const { status, report, missed } = await run(url, ...CROWD, ...PATIENT, '--limit', '8', '--streams', '50%');
    expect([status, missed, report.problems]).toEqual([0, [], {}]);
    const [predicted, rehearsed] = report.sales;
    expect(predicted.name).toBe('predicted');
    expect(rehearsed.summary).toMatchObject({ visitors: 30, fates: { inside: 30 } });
    expect(rehearsed.summary.mostInside).toBeLessThanOrEqual(8);
  });

  it('counts a limit that is lowered in the middle as no overshoot', async () => {
    const { url, ask } = await start();
    const rehearsal = run(url, ...CROWD, ...PATIENT, '--limit', '14', '--shopping', 'fixed:1.5', '--streams', '50%');
    const inside = async () =>
      (await ask('GET', '/api/queue/admin/rehearsal', { operator: true })).body?.currentUsers ?? 0;
    await until('visitors inside', async () => (await inside()) >= 12);
    await ask('PUT', '/api/admin/rooms/rehearsal', { operator: true, body: { maxActive: 3 } });
    const { status, missed, report } = await rehearsal;
    expect([status, missed, report.problems]).toEqual([0, [], {}]);
  });

  it('has some visitors abandon and some stay away, as planned', async () => {
    const { url, ask } = await start();
    // Short, so that the slots of no-shows are freed; long enough for pages on a busy machine.
    const body = { maxActive: 4, claimTtlMs: 4_000, activeTtlMs: 8_000 };
    await ask('PUT', '/api/admin/rooms/rehearsal', { operator: true, body });
    const impatient = ['--drop-out', '50%', '--patience', '0.01', '--no-show', '20%', '--streams', '0%'];
    const { report, missed } = await run(url, ...CROWD, ...PATIENT, ...impatient);
    const { fates } = report.sales.at(-1).summary;
    expect(missed.filter((goal: string) => goal !== 'lost-places')).toEqual([]);
    expect(fates['gave-up']).toBeGreaterThan(0);
    expect(fates['no-show']).toBeGreaterThan(0);
  });

  it('ends after --minutes and misses the goal that everyone finishes', async () => {
    const { url } = await start();
    const { status, missed } = await run(
      url,
      ...CROWD,
      ...PATIENT,
      '--shopping',
      'fixed:60',
      '--limit',
      '4',
      '--minutes',
      '0.05',
    );
    expect([status, missed]).toEqual([1, ['finished']]);
  });

  it('counts rate-limited guests as errors and reports the code', async () => {
    const { url, ask } = await startServer({ DATA_DIR: tempFolder(), SHOP: 'off', LIMIT_GUEST_JOIN_PER_IP: '10' });
    await ask('PUT', '/api/admin/rooms/rehearsal', { operator: true, body: { maxActive: 100 } });
    const terminal = createTestTerminal();
    const status = await rehearse.run([url, ...CROWD, ...PATIENT, '--streams', '0%', '--json'], terminal);
    const { problems } = JSON.parse(terminal.printed());
    expect([status, Object.keys(problems)]).toEqual([1, ['POST /api/queue/check/rehearsal: 429 RATE_LIMITED']]);
  });
});

describeWithRedis('a rehearsal against two processes on Redis', () => {
  it('meets every goal while each process is restarted in turn', async () => {
    const { start } = await createSharedLine({ SHOP: 'off', LIMIT_STREAMS_PER_IP: '0' });
    await start('admitter,dispatcher,reaper,sweeper');
    const [one, two] = await Promise.all([start('line'), start('line')]);
    const crowd = ['--visitors', '40', '--arrival-minutes', '0.05', '--shopping', 'fixed:1', '--streams', '30%'];
    const rehearsal = run(one.url, two.url, ...crowd, ...PATIENT, '--limit', '10', '--retries', '20');
    const again = (server: ServerProcess) => start('line', { PORT: new URL(server.url).port });
    await one.kill('SIGTERM');
    await again(one);
    await two.kill('SIGTERM');
    await again(two);
    const { status, report, missed } = await rehearsal;
    expect([status, missed, report.problems]).toEqual([0, [], {}]);
    expect(report.retries).toBeGreaterThan(0);
    expect(report.sales.at(-1).summary.fates.inside).toBe(40);
  });
});

describe('a rehearsal', () => {
  const judged = async (fault: Fault) => {
    const url = await startFakeLine(fault);
    const goals = fault === 'slow' ? ['--goal-p50', '100', '--goal-p99', '200'] : PATIENT;
    const { status, missed } = await run(url, ...CROWD, ...goals, '--streams', '0%');
    return [fault, status, missed];
  };

  // In parallel: each takes seconds of waiting and little work.
  it('passes a correct server, and misses the matching goal for each fault', async () => {
    const expected = [
      ['none', 0, []],
      ['order', 1, ['inversions']],
      ['numbers', 1, ['inversions']],
      ['overshoot', 1, ['overshoot']],
      ['hidden-overshoot', 1, ['overshoot']],
      ['errors', 1, ['errors']],
      ['lost-places', 1, ['lost-places']],
      ['slow', 1, ['delay-p50', 'delay-p99']],
    ] as const;
    expect(await Promise.all(expected.map(([fault]) => judged(fault)))).toEqual(expected);
  });
});

describe('fairline rehearse refuses', () => {
  it.each([
    [[], 'missing URL of a running deployment'],
    [['ftp://127.0.0.1'], 'expected an http or https URL'],
    [['http://203.0.113.7'], '203.0.113.7 (203.0.113.7) is neither this machine nor a private address'],
    [['http://203.0.113.7', '--i-own', 'example.org'], 'if it is yours, confirm with --i-own 203.0.113.7'],
    [['http://127.0.0.1:1', 'http://8.8.8.8'], '8.8.8.8 (8.8.8.8) is neither'],
    [['http://169.254.169.254'], 'is neither this machine'],
    [['http://127.0.0.1:1', '--limit', '5'], '--limit and --rate require an operator token'],
  ])('%j', async (args, expected) => {
    await expect(rehearse.run(args, createTestTerminal())).rejects.toThrow(expected);
  });
});

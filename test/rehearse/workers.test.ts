/** Rehearsals of several processes. */
import { describe, expect, it } from 'vitest';
import { Findings, newStory } from '../../src/rehearse/findings.ts';
import { mergeFindings, toSent } from '../../src/rehearse/merge-findings.ts';
import { measureOvershoot } from '../../src/rehearse/overshoot.ts';
import { makeCertificates } from '../support/certificates.ts';
import { runProgram, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { startFakeLine } from './fake-line.ts';

const CROWD = ['--visitors', '30', '--arrival-minutes', '0.025', '--arrivals', 'steady', '--shopping', 'fixed:0.3'];
const PATIENT = ['--goal-p50', '60000', '--goal-p99', '60000'];

async function run(args: string[], env: Record<string, string> = {}) {
  const { AUTH_JWT_SECRET, ADMIN_TOKEN } = secrets;
  const all = ['rehearse', ...CROWD, ...PATIENT, '--json', '--lang', 'en', ...args];
  const { code, output } = await runProgram(all, { AUTH_JWT_SECRET, ADMIN_TOKEN, ...env });
  if (!output.startsWith('{')) throw new Error(output);
  return { code, report: JSON.parse(output) };
}

describe('a rehearsal by several processes', () => {
  it('meets every goal, by polling and on streams, and counts each visitor once', async () => {
    const { url } = await startServer({ DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '100' });
    const { code, report } = await run([url, '--workers', '3', '--limit', '8', '--streams', '50%']);
    expect([code, report.problems]).toEqual([0, {}]);
    const rehearsed = report.sales.at(-1).summary;
    expect(rehearsed).toMatchObject({ visitors: 30, fates: { inside: 30 } });
    expect(rehearsed.mostInside).toBeLessThanOrEqual(8);
  });

  it('finds more visitors inside than the limit, which no process sees alone', async () => {
    const url = await startFakeLine('hidden-overshoot');
    const { code, report } = await run([url, '--workers', '2', '--streams', '0%']);
    const missed = report.verdict.judgements.flatMap(({ goal, isMet }: { goal: string; isMet: boolean }) =>
      isMet ? [] : goal,
    );
    expect([code, missed]).toEqual([1, ['overshoot']]);
  });

  it('connects over TLS and verifies the certificate', async () => {
    const { server, ca } = makeCertificates();
    const url = await startFakeLine('none', server);
    const trusting = await run([url, '--workers', '2', '--streams', '0%'], { NODE_EXTRA_CA_CERTS: ca });
    expect([trusting.code, trusting.report.problems]).toEqual([0, {}]);
    await expect(run([url, '--retries', '0'])).rejects.toThrow('no response from the server');
  });
});

describe('merged findings', () => {
  it('count the visitors inside of all processes against the highest limit so far', () => {
    const one = (times: [insideAt: number, leftAt: number | undefined][], raises: [atMs: number, limit: number][]) => {
      const findings = new Findings(0, 0);
      for (const [atMs, limit] of raises) findings.noteRoom({ waiting: 0, inside: 0, limit }, atMs);
      for (const [insideAt, leftAt] of times) findings.stories.push({ ...newStory(), insideAt, leftAt });
      return structuredClone(toSent(findings));
    };
    const overshootOf = (...all: ReturnType<typeof one>[]) => measureOvershoot(mergeFindings(all));
    const first = one(
      [
        [10, 20],
        [11, 30],
      ],
      [[1, 2]],
    );
    expect(overshootOf(first)).toBe(0);
    expect(overshootOf(first, one([[12, undefined]], []))).toBe(1);
    expect(overshootOf(first, one([[20, undefined]], []))).toBe(0);
    expect(overshootOf(first, one([[12, undefined]], [[5, 3]]))).toBe(0);
    expect(overshootOf(first, one([[12, undefined]], [[15, 3]]))).toBe(1);
  });
});

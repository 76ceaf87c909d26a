/** A short run of the soak: one minute, fifteen faults, Redis and PostgreSQL, a small crowd. No promise may be broken. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithPostgres } from '../support/postgres-server.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { readOptions } from './options.ts';
import { runSoak } from './soak.ts';
import { describeVerdict } from './verdict.ts';

/** The same faults in each run; SOAK_SEED chooses others. */
const SEED = process.env.SOAK_SEED ?? '1';

describeWithRedis('a soak', () => {
  describeWithPostgres('of one minute', () => {
    it('keeps every promise through fifteen faults', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fairline-soak-test-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const words = ['--minutes', '1', '--faults', '15', '--visitors', '16', '--no-kafka', '--seed', SEED];
      const verdict = await runSoak(readOptions(words, folder), () => {});
      // The verdict as the message: it names the seed, the promise and the evidence.
      expect(verdict.violations.length, describeVerdict(verdict)).toBe(0);
      expect(verdict.counts.faults).toBe(15);
      expect(verdict.counts.admissions).toBeGreaterThan(0);
    }, 1_200_000);
  });
});

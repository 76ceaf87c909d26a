/** A draw among 100,000 on any store, recomputed from the published data. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { verifyDraw } from '../../src/line/draw/verify-draw.ts';
import type { DrawResult } from '../../src/line/store/draws.ts';
import type { LineStore } from '../../src/line/store/line-store.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { finishDraw } from './draw-contract.ts';

/** Fixed, so the statistical check is deterministic. */
export const fixedSecrets = () => ({ seed: '0123456789abcdef'.repeat(4), lotKey: 'fedcba9876543210'.repeat(4) });

const VISITORS = 100_000;
const AT_ONCE = 10_000;

export async function expectLargeDraw(store: LineStore, now: number, advance: (ms: number) => void): Promise<void> {
  const opensAt = new Date(now + 60_000).toISOString();
  await store.putRoom('large', { order: 'draw', opensAt, maxActive: 0 });
  const lots: string[] = [];
  await eachVisitor(async (visitor, index) => {
    const joined = await store.join('large', visitor);
    if ('standing' in joined && joined.standing.state === 'lobby') lots[index] = joined.standing.lot;
  });
  advance(60_000);
  // A visitor behind many numbers that are not assigned yet.
  await store.join('large', 'late');
  await store.tick('large');
  await finishDraw(store, 'large');
  expect(await store.find('large', 'late')).toMatchObject({
    standing: { number: VISITORS + 1, position: VISITORS + 1 },
  });
  const draw = (await store.findDraw('large')) as DrawResult;
  const list = (await store.readDrawEntries('large', 0, VISITORS)).toString('hex').match(/.{32}/g)!;
  // Compared as text: a diff of this size would not be readable anyway.
  expect(list.join() === [...lots].sort().join(), 'the list has every lot').toBe(true);
  const numbers = recomputeDraw(draw, list);
  const drawn: number[] = [];
  await eachVisitor(async (visitor, index) => {
    const found = await store.find('large', visitor);
    if (found.outcome === 'found' && 'number' in found.standing) drawn[index] = found.standing.number;
  });
  const expected = lots.map((lot) => numbers.get(lot));
  expect(drawn.join() === expected.join(), 'every visitor has the number of their lot').toBe(true);
  expectIndependence(drawn);
  expectSeedBound(draw, `${list.join('\n')}\n`);
}

/**
 * Spearman's correlation between the order of joining and the number drawn. For independent lots it is normal with
 * deviation 1 / sqrt(n - 1): |z| >= 4 happens once in 16,000 draws. For order of arrival z would be 316.
 */
function expectIndependence(drawn: number[]): void {
  const count = drawn.length;
  const squares = drawn.reduce((sum, number, index) => sum + (number - (index + 1)) ** 2, 0);
  const z = (1 - (6 * squares) / (count * (count ** 2 - 1))) * Math.sqrt(count - 1);
  expect(Math.abs(z)).toBeLessThan(4);
}

/** A published seed that does not match the commitment is detected, even if the whole draw follows from it. */
function expectSeedBound(draw: DrawResult, list: string): void {
  expect(draw.commitment).toBe(createHash('sha256').update(Buffer.from(draw.seed, 'hex')).digest('hex'));
  const failed = (published: DrawResult) => verifyDraw(published, list).checks.filter(({ ok }) => !ok);
  expect(failed(draw)).toEqual([]);
  const another = createHash('sha256').update(draw.seed).digest('hex');
  expect(failed({ ...draw, seed: another })).toMatchObject([{ what: 'the seed matches the commitment' }]);
}

async function eachVisitor(work: (visitor: string, index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < VISITORS; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => work(`visitor-${from + i}`, from + i)));
  }
}

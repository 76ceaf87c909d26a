import { createHash, createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findLot, finishAtOnce, lotAt, orderLots, sortLots, toCommitment, toLot } from '../../src/line/draw/draw.ts';
import { createDraw } from '../../src/line/model/draw-state.ts';
import { applyDraw, toDrawRecord } from '../../src/line/store/memory/draw-records.ts';
import { recomputeDraw } from '../support/recompute-draw.ts';

const FIXED_SEED = '0123456789abcdef'.repeat(4);

describe('the published rule of the draw', () => {
  it('derives a lot as the first 16 bytes of an HMAC, for any visitor name', () => {
    const lotKey = randomBytes(32).toString('hex');
    for (const visitor of ['', 'user-1', '방문자', 'x'.repeat(500)]) {
      const mac = createHmac('sha256', Buffer.from(lotKey, 'hex')).update(visitor).digest('hex');
      expect(toLot(lotKey, visitor)).toBe(mac.slice(0, 32));
    }
  });

  it('commits to the seed with its hash', () => {
    const hash = createHash('sha256').update(Buffer.from(FIXED_SEED, 'hex')).digest('hex');
    expect(toCommitment(FIXED_SEED)).toBe(hash);
  });

  it.each([0, 1, 2, 1_000, 30_000])('orders %d lots as an independent recomputation does', (count) => {
    const lots = Array.from({ length: count }, () => randomBytes(16).toString('hex'));
    const { sorted } = finishAtOnce(sortLots(Buffer.from(lots.join(''), 'hex')));
    expect(sorted.toString('hex')).toBe([...lots].sort().join(''));
    const { places, listHash } = finishAtOnce(orderLots(FIXED_SEED, sorted));
    const lines = [...lots].sort().map((lot) => `${lot}\n`);
    expect(listHash).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
    const numbers = new Map([...places].map((place, index) => [lotAt(sorted, index), place]));
    expect(numbers).toEqual(recomputeDraw({ seed: FIXED_SEED, firstNumber: 1 }, [...lots].sort()));
  });

  it('sorts lots with a common prefix', () => {
    const lots = Array.from({ length: 500 }, () => `ffffffffffffffffff${randomBytes(7).toString('hex')}`);
    const { sorted } = finishAtOnce(sortLots(Buffer.from(lots.join(''), 'hex')));
    expect(sorted.toString('hex')).toBe([...lots].sort().join(''));
  });

  it('finds every lot of a list and no other', () => {
    const lots = Array.from({ length: 300 }, () => randomBytes(16).toString('hex')).sort();
    const sorted = Buffer.from(lots.join(''), 'hex');
    for (const [index, lot] of lots.entries()) expect(findLot(sorted, lot)).toBe(index);
    expect(findLot(sorted, randomBytes(16).toString('hex'))).toBeUndefined();
    expect(findLot(Buffer.alloc(0), lots[0]!)).toBeUndefined();
  });

  // For 100,000 independent lots the rank correlation with the order of joining is normal with deviation
  // 1 / sqrt(n - 1); |z| >= 4 happens once in 16,000 draws. The seeds are fixed, so the test is deterministic.
  it.each([1, 2])('orders lots independently of the order of joining: |z| < 4, seed %d', (nth) => {
    const count = 100_000;
    const seed = createHash('sha256').update(`seed ${nth}`).digest('hex');
    const lotKey = createHash('sha256').update(`key ${nth}`).digest('hex');
    const joined = Array.from({ length: count }, (_, index) => toLot(lotKey, `user-${index}`));
    const { sorted, order } = finishAtOnce(sortLots(Buffer.from(joined.join(''), 'hex')));
    const { places } = finishAtOnce(orderLots(seed, sorted));
    const squares = order.reduce((sum, joinedAs, index) => sum + (places[index]! - (joinedAs + 1)) ** 2, 0);
    const correlation = 1 - (6 * squares) / (count * (count ** 2 - 1));
    expect(Math.abs(correlation * Math.sqrt(count - 1))).toBeLessThan(4);
  });
});

it('a draw keeps its field names in the journal, so that older journals can be replayed', () => {
  const draw = createDraw({ seed: FIXED_SEED, lotKey: '7e'.repeat(32) });
  const [, , facts] = toDrawRecord('concert', draw);
  expect(Object.keys(facts!)).toEqual([
    'seed',
    'ticketKey',
    'phase',
    'beganAt',
    'firstNumber',
    'size',
    'lastArrival',
    'listHash',
    'drawnAt',
  ]);
  const room = { nextNumber: 1, draw: undefined };
  applyDraw(room, JSON.parse(JSON.stringify(facts)));
  expect(room.draw).toEqual(draw);
});

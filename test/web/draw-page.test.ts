import { createHash, randomBytes } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recomputeDraw } from '../support/recompute-draw.ts';
import { createTestApp } from '../support/test-app.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

function publish(count: number) {
  const tickets = Array.from({ length: count }, () => randomBytes(16).toString('hex')).sort();
  const list = tickets.map((ticket) => `${ticket}\n`).join('');
  const seed = randomBytes(32);
  const draw = {
    commitment: sha256(seed),
    seed: seed.toString('hex'),
    listHash: sha256(list),
    entries: count,
    firstNumber: 7,
  };
  return { draw, list, tickets };
}

/** The script of the page, which needs nothing of a browser but its cryptography. */
async function loadCheck() {
  const file = pathToFileURL(`${import.meta.dirname}/../../src/web/draw.js`).href;
  const { checkDraw } = await import(/* @vite-ignore */ file);
  return checkDraw as (
    draw: object,
    list: string,
    options?: object,
  ) => Promise<{
    ok: boolean;
    number?: number;
    checks: { name: string; ok: boolean }[];
  }>;
}

describe('the page that checks a draw', () => {
  it('gets the same numbers as anyone who recomputes them', async () => {
    const checkDraw = await loadCheck();
    const { draw, list, tickets } = publish(300);
    const numbers = recomputeDraw(draw, tickets);
    for (const ticket of tickets.slice(0, 20)) {
      const result = await checkDraw(draw, list, { ticket, notedCommitment: draw.commitment });
      expect(result).toMatchObject({ ok: true, number: numbers.get(ticket) });
    }
    expect(await checkDraw(draw, list, { ticket: 'f'.repeat(32) })).not.toHaveProperty('number', expect.any(Number));
  });

  it('notices another seed, another list, and a commitment that was changed', async () => {
    const checkDraw = await loadCheck();
    const { draw, list } = publish(10);
    const failing = async (changes: object, other = list, options = {}) => {
      const { ok, checks } = await checkDraw({ ...draw, ...changes }, other, options);
      expect(ok).toBe(false);
      return checks.filter((check) => !check.ok).map(({ name }) => name);
    };
    expect(await failing({ seed: randomBytes(32).toString('hex') })).toEqual(['seedMatches']);
    expect(await failing({}, list.slice(33))).toEqual(['listMatches']);
    expect(await failing({}, `${list}${randomBytes(16).toString('hex')}\n`)).toEqual(['listMatches']);
    expect(await failing({}, list, { notedCommitment: sha256('other') })).toEqual(['commitmentKept']);
  });

  it('is served with a policy that allows its own script and no other', async () => {
    const { anyone } = await createTestApp();
    const page = await anyone('GET', '/draw/concert');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=/);
    const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const file = await anyone('GET', path);
      expect(file.statusCode, path).toBe(200);
      const etag = String(file.headers.etag);
      expect((await anyone('GET', path, { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
    }
  });
});

/** Polling in virtual time, against a server that is a list of responses. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PollOptions, type PollState, poll } from '../../src/client/poll.ts';
import { Transport } from '../../src/client/transport.ts';

type Scripted = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

const queued = (nextPoll: number) => ({ body: { status: 'queued', nextPoll } });
const active = { body: { status: 'active', nextPoll: 5 } };
const error = (status: number, code: string, headers = {}) => ({
  status,
  headers,
  body: { error: { code, message: '' } },
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Polls until the script ends; returns each request with its time, and what came of it. */
async function run(script: Scripted[], options: PollOptions = {}) {
  const asked: { at: number; what: string }[] = [];
  const startedAt = Date.now();
  const transport = new Transport({
    baseUrl: 'https://line.example',
    fetch: async (url, { method }) => {
      asked.push({ at: Date.now() - startedAt, what: `${method} ${url.replace('https://line.example', '')}` });
      const next = script.shift()!;
      if (next instanceof Error) throw next;
      return Response.json(next.body ?? {}, { status: next.status ?? 200, headers: next.headers ?? {} });
    },
  });
  const answers: string[] = [];
  const done = (async () => {
    for await (const answer of poll<PollState>(transport, 'spring tour', options)) answers.push(answer.status);
    return 'ended';
  })().catch((thrown: Error & { code?: string }) => thrown.code ?? thrown.message);
  await vi.runAllTimersAsync();
  return { asked, answers, outcome: await done, gaps: asked.slice(1).map(({ at }, index) => at - asked[index]!.at) };
}

describe('polling', () => {
  it('joins, then asks when the server says, never earlier and at most a fifth later, until the visitor is inside', async () => {
    const { asked, answers, gaps, outcome } = await run([queued(2), queued(10), active]);
    expect(asked.map(({ what }) => what)).toEqual([
      'POST /api/queue/check/spring%20tour',
      'GET /api/queue/status/spring%20tour',
      'GET /api/queue/status/spring%20tour',
    ]);
    expect(gaps[0]).toBeGreaterThanOrEqual(2_000);
    expect(gaps[0]).toBeLessThanOrEqual(2_400);
    expect(gaps[1]).toBeGreaterThanOrEqual(10_000);
    expect(gaps[1]).toBeLessThanOrEqual(12_000);
    expect({ answers, outcome }).toEqual({ answers: ['queued', 'queued', 'active'], outcome: 'ended' });
  });

  it('does not ask all clients to come back at the same time', async () => {
    const gaps = await Promise.all(Array.from({ length: 5 }, async () => (await run([queued(10), active])).gaps[0]));
    expect(new Set(gaps).size).toBeGreaterThan(1);
  });

  it('ends when the place is gone', async () => {
    const { answers, outcome } = await run([queued(1), { body: { status: 'not_in_queue', nextPoll: 5 } }]);
    expect({ answers, outcome }).toEqual({ answers: ['queued', 'not_in_queue'], outcome: 'ended' });
  });

  it('goes on after a broken connection, an error of a proxy and a limit, and waits as long as Retry-After says', async () => {
    const limited = error(429, 'RATE_LIMITED', { 'retry-after': '40' });
    const { asked, gaps, outcome } = await run([
      queued(1),
      new TypeError('fetch failed'),
      error(502, ''),
      limited,
      active,
    ]);
    expect(outcome).toBe('ended');
    expect(asked).toHaveLength(5);
    expect(gaps[3]).toBeGreaterThanOrEqual(40_000);
  });

  it('joins again when the join itself failed', async () => {
    const { asked } = await run([error(503, 'STORE_UNAVAILABLE'), active]);
    expect(asked.map(({ what }) => what.split(' ')[0])).toEqual(['POST', 'POST']);
  });

  it('gives up after so many failures in a row', async () => {
    const failing = Array.from({ length: 9 }, () => error(503, 'STORE_UNAVAILABLE'));
    const { asked, outcome } = await run([queued(1), ...failing], { retries: 3 });
    expect(outcome).toBe('STORE_UNAVAILABLE');
    expect(asked).toHaveLength(5);
  });

  it('forgets failures once it got a response', async () => {
    const flaky = Array.from({ length: 4 }, () => [error(503, 'STORE_UNAVAILABLE'), queued(1)]).flat();
    expect((await run([...flaky, active], { retries: 1 })).outcome).toBe('ended');
  });

  it('throws an error that will not pass', async () => {
    expect((await run([error(404, 'EVENT_NOT_FOUND')])).outcome).toBe('EVENT_NOT_FOUND');
  });

  it('stops at once when it is aborted while it waits', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('closed')), 3_000);
    const { asked, outcome } = await run([queued(2), queued(60)], { signal: controller.signal });
    expect(outcome).toBe('closed');
    expect(asked).toHaveLength(2);
  });

  it('only looks if it is told so', async () => {
    const { asked } = await run([active], { join: false, to: '/shop?a=1' });
    expect(asked.map(({ what }) => what)).toEqual(['GET /api/queue/status/spring%20tour?to=%2Fshop%3Fa%3D1']);
  });
});

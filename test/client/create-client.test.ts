/** How a call becomes a request, and a response a result. */
import { describe, expect, it } from 'vitest';
import { createTypedClient } from '../../src/client/create-client.ts';
import type { FairlineError } from '../../src/client/fairline-error.ts';
import type { PollState } from '../../src/client/poll.ts';
import type { ClientOptions } from '../../src/client/transport.ts';

type Call = (input?: Record<string, unknown>, options?: object) => Promise<unknown>;
const routes = {
  getSeat: { method: 'GET', path: '/events/{eventId}/seats/{seatId}' },
  join: { method: 'POST', path: '/join', headers: ['idempotency-key'] },
};

function createTestClient(answer: () => Response | Promise<Response>, options: ClientOptions = {}) {
  const sent: { url: string; init: RequestInit & { headers: Record<string, string> } }[] = [];
  const client = createTypedClient<Record<keyof typeof routes, Call>, PollState>(routes, {
    baseUrl: 'https://line.example/',
    fetch: async (url, init) => {
      sent.push({ url, init: init as (typeof sent)[number]['init'] });
      return answer();
    },
    ...options,
  });
  return { client, sent };
}

describe('a call', () => {
  it('puts its input into the path, the headers and the query, escaped', async () => {
    const { client, sent } = createTestClient(() => Response.json({}));
    await client.getSeat({ eventId: 'a/b', seatId: '1', of: ['x', 'y&z'], none: undefined });
    await client.join({ 'idempotency-key': 'k', body: { event_id: 'a' } }, { headers: { 'x-more': '1' } });
    expect(sent.map(({ url }) => url)).toEqual([
      'https://line.example/events/a%2Fb/seats/1?of=x&of=y%26z',
      'https://line.example/join',
    ]);
    expect(sent[1]!.init).toMatchObject({
      method: 'POST',
      headers: { 'idempotency-key': 'k', 'x-more': '1', 'content-type': 'application/json' },
      body: '{"event_id":"a"}',
    });
    expect(sent[0]!.init.headers['content-type']).toBeUndefined();
  });

  it.each([{}, { eventId: '' }, { eventId: '..' }, { eventId: '.' }])(
    'refuses %j, which names another endpoint',
    (input) => {
      const { client, sent } = createTestClient(() => Response.json({}));
      expect(() => client.getSeat({ seatId: '1', ...input })).toThrow('eventId is missing');
      expect(sent).toEqual([]);
    },
  );

  it('asks for the token every time', async () => {
    let count = 0;
    const { client, sent } = createTestClient(() => Response.json({}), { token: async () => `t${++count}` });
    await client.join();
    await client.join();
    expect(sent.map(({ init }) => init.headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  it('returns JSON, text or nothing', async () => {
    const answers = [Response.json({ a: 1 }), new Response('a\nb'), new Response(null, { status: 204 })];
    const { client } = createTestClient(() => answers.shift()!);
    expect([await client.join(), await client.join(), await client.join()]).toEqual([{ a: 1 }, 'a\nb', undefined]);
  });

  it('throws what the server said', async () => {
    const body = { error: { code: 'RATE_LIMITED', message: 'Slow down.', trace_id: 't1' }, redirectTo: '/queue' };
    const headers = { 'retry-after': '7' };
    const { client } = createTestClient(() => Response.json(body, { status: 429, headers }));
    const error = (await client.join().catch((thrown: unknown) => thrown)) as FairlineError;
    expect(error).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      message: 'Slow down.',
      retryAfterSeconds: 7,
      body,
    });
    expect(error).toMatchObject({ name: 'FairlineError', traceId: 't1', isTemporary: true });
  });

  it('throws for a page of a proxy too', async () => {
    const { client } = createTestClient(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await expect(client.join()).rejects.toMatchObject({ code: 'HTTP_502', isTemporary: true });
  });

  it('ends when there is no response in time, without naming what the query holds', async () => {
    const hang = (_url: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const { client } = createTestClient(() => Response.json({}), { fetch: hang, timeoutMs: 5 });
    await expect(client.join({ token: 'secret' })).rejects.toThrow(/^POST \/join: no response within 5 ms$/);
  });
});

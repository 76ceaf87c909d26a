/** The stream against a server that breaks connections, and against the program. */
import type { ServerResponse } from 'node:http';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createTypedClient } from '../../src/client/create-client.ts';
import type { PollState } from '../../src/client/poll.ts';
import type { AdmittedEvent, ByeEvent, GoneEvent, PositionEvent, RoomEvent } from '../../src/client/stream-events.ts';
import type { toCrowdFields, toPlaceFields, toRoomFields } from '../../src/line/http/poll-answer.ts';
import type { ByeReason, GoneReason } from '../../src/live/hub/frames.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';

const createClient = (baseUrl: string) => createTypedClient<object, PollState>({}, { baseUrl });

/** Each connection gets the next of these responses. */
async function startStream(...answers: ((response: ServerResponse) => void)[]) {
  return startSite((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    answers.shift()!(response);
  });
}

const send = (text: string) => (response: ServerResponse) => void response.end(`retry: 1\n\n${text}`);
const refuse = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();
const drop = (response: ServerResponse) => void response.destroy();
const room = (id: string) => `id: ${id}\nevent: room\ndata: {"state":"open"}\n\n`;

async function collect(url: string, options = {}): Promise<string[]> {
  const names: string[] = [];
  for await (const { event } of createClient(url).stream('concert', options)) names.push(event);
  return names;
}

describe('the stream', () => {
  it('connects again with the last id, and ends for good when the server says so', async () => {
    const { url, asked } = await startStream(send(room('r1')), send('event: position\ndata: {}\n\n'), refuse(204));
    expect(await collect(url)).toEqual(['room', 'position']);
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'r1', 'r1']);
  });

  it.each(['event: gone\ndata: {"reason":"lapsed"}\n\n', 'event: bye\ndata: {"reason":"left"}\n\n'])(
    'does not connect again after %j',
    async (last) => {
      const { url, asked } = await startStream(send(room('r1') + last));
      await collect(url);
      expect(asked).toHaveLength(1);
    },
  );

  it('connects again after a restart and after a connection that breaks at once', async () => {
    const { url } = await startStream(send('event: bye\ndata: {"reason":"stopping"}\n\n'), drop, refuse(204));
    expect(await collect(url)).toEqual(['bye']);
  });

  it('throws an error that will not pass, and gives up after so many failures', async () => {
    const { url } = await startStream(refuse(404), refuse(503), refuse(503));
    await expect(collect(url)).rejects.toMatchObject({ name: 'FairlineError', status: 404 });
    await expect(collect(url, { retries: 1 })).rejects.toMatchObject({ code: 'HTTP_503' });
  });

  it('ends with its signal', async () => {
    const { url } = await startStream((response) => void response.write(room('r1')));
    const controller = new AbortController();
    const read = async () => {
      for await (const _ of createClient(url).stream('concert', { signal: controller.signal }))
        controller.abort(new Error('left'));
    };
    await expect(read()).rejects.toThrow('left');
  });

  it('follows a visitor of the program from the line to the inside, as one guest', async () => {
    const { url, context } = await runApp({ room: { maxActive: 0 } });
    const client = createClient(url);
    const seen: Record<string, unknown> = {};
    for await (const { event, data } of client.stream('concert', { to: '/shop' })) {
      if (event === 'position' && seen.position === undefined) {
        await context.line.rooms.putRoom('concert', { maxActive: 1 });
      }
      seen[event] = data;
      if (event === 'admitted') break;
    }
    expect(seen.room).toMatchObject({ state: 'open' } satisfies Partial<RoomEvent['data']>);
    expect(seen.position).toMatchObject({ number: 1, position: 1 } satisfies Partial<PositionEvent['data']>);
    expect(seen.admitted).toMatchObject({ target: '/shop' } satisfies Partial<AdmittedEvent['data']>);
    const answers: PollState[] = [];
    for await (const answer of client.poll('concert')) answers.push(answer);
    expect(answers).toMatchObject([{ status: 'active', number: 1 }]);
  });

  it('has the types that the server sends', () => {
    expectTypeOf<ReturnType<typeof toRoomFields>>().toExtend<RoomEvent['data']>();
    expectTypeOf<ReturnType<typeof toPlaceFields> & ReturnType<typeof toCrowdFields>>().toExtend<
      PositionEvent['data']
    >();
    expectTypeOf<GoneEvent['data']['reason']>().toEqualTypeOf<GoneReason>();
    expectTypeOf<ByeEvent['data']['reason']>().toEqualTypeOf<ByeReason>();
  });
});

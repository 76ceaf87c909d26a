import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/compose/context.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { openStream } from '../support/event-stream.ts';
import { type RunningApp, runApp } from '../support/running-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const REQUEST = 'GET /events/concert/tickets/waiting HTTP/1.1\r\nhost: localhost\r\n\r\n';

const pathOf = ({ url }: RunningApp, eventId = 'concert') => `${url}/events/${eventId}/tickets/waiting`;

describe('the stream door', () => {
  it('sends the room and the position, then the admission with the token id of the poll door', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const stream = await openStream(pathOf(app));
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect((await stream.waitFor('room')).data).toEqual({ state: 'open', keptSeconds: 300 });
    expect((await stream.waitFor('position')).data).toMatchObject({ number: 1, position: 1, queueSize: 1 });
    await app.context.line.rooms.putRoom('concert', { maxActive: 1 });
    const { data } = await stream.waitFor('admitted');
    const status = await ask(app, 'GET', '/api/queue/status/concert', stream.cookie);
    expect(status).toMatchObject({ status: 'active', number: 1 });
    expect(claimsOf(data.entryToken).jti).toBe(claimsOf(status.entryToken).jti);
    const gate = await fetch(`${app.url}/gate/verify?eventId=concert`, {
      headers: { cookie: stream.cookie, 'x-queue-entry-token': data.entryToken },
    });
    expect(gate.status).toBe(200);
  });

  it('sends the exact position in each lane, and the lane to members', async () => {
    const app = await runApp({ env: secrets, room: { maxActive: 0, priorityShare: 50 } });
    const sign = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
    const iat = Math.floor(Date.now() / 1000);
    const open = (sub: string) =>
      openStream(pathOf(app), { authorization: `Bearer ${sign({ sub, iat, exp: iat + 600 })}` });
    await app.context.line.visits.join('concert', 'o1');
    await app.context.line.visits.join('concert', 'member', { priority: true });
    const [member, other] = [await open('member'), await open('other')];
    expect((await member.waitFor('room')).data).toMatchObject({ priorityShare: 50 });
    expect((await member.waitFor('position')).data).toMatchObject({ number: 2, position: 2, lane: 'priority' });
    const first = (await other.waitFor('position')).data;
    expect(first).toMatchObject({ number: 3, position: 3 });
    expect(first).not.toHaveProperty('lane');
    // From here on positions come from the rulers: two visitors join ahead or behind, and one leaves.
    await app.context.line.visits.join('concert', 'member2', { priority: true });
    await app.context.line.visits.join('concert', 'member3', { priority: true });
    await app.context.line.visits.leave('concert', 'o1');
    const isTold = (stream: typeof member, position: number) => {
      const { data } = stream.events.at(-1)!;
      return data.position === position && data.queueSize === 4;
    };
    await until('what holds for the other', () => isTold(other, 1));
    await until('what holds for the member', () => isTold(member, 2));
    expect(member.events.at(-1)?.data).toMatchObject({ lane: 'priority' });
  });

  it('sends the same admission at once to a visitor who is already inside', async () => {
    const app = await runApp({ room: { maxActive: 1 } });
    const first = await openStream(pathOf(app));
    const admitted = (await first.waitFor('admitted')).data;
    const again = await openStream(pathOf(app), { cookie: first.cookie });
    expect(claimsOf((await again.waitFor('admitted')).data.entryToken).jti).toBe(claimsOf(admitted.entryToken).jti);
    expect(again.events.map(({ name }) => name)).toEqual(['room', 'admitted']);
    expect(first.cookie).toContain('urr-entry-token=');
  });

  it('sends ready in a claim room, and the token only after entering', async () => {
    const app = await runApp({ room: { maxActive: 0, admission: 'claim' } });
    const stream = await openStream(pathOf(app));
    await stream.waitFor('position');
    await app.context.line.rooms.putRoom('concert', { maxActive: 1 });
    const { data } = await stream.waitFor('ready');
    expect(data).toMatchObject({ number: 1, position: 0, readyForEntry: true, enterBy: expect.any(String) });
    const again = await openStream(pathOf(app), { cookie: stream.cookie });
    expect((await again.waitFor('ready')).data.enterBy).toBe(data.enterBy);
    expect(stream.cookie).not.toContain('urr-entry-token=');
    const entered = await ask(app, 'POST', '/api/queue/check/concert', stream.cookie);
    expect(entered).toMatchObject({ status: 'active', number: 1 });
    const last = await openStream(pathOf(app), { cookie: stream.cookie });
    const admitted = (await last.waitFor('admitted')).data;
    expect(claimsOf(admitted.entryToken).jti).toBe(claimsOf(entered.entryToken).jti);
    expect(last.events.map(({ name }) => name)).not.toContain('ready');
    // The new stream updates the visitor’s other streams.
    await again.waitFor('admitted');
  });

  it('names the target to each page of a visitor: the one it wanted, else that of the room', async () => {
    const app = await runApp({ room: { maxActive: 0, target: '/room/{eventId}', admission: 'claim' } });
    const plain = await openStream(pathOf(app));
    const wanting = await openStream(`${pathOf(app)}?to=%2Fshop%2F12%3Fref%3Dmail`, { cookie: plain.cookie });
    await app.context.line.rooms.putRoom('concert', { maxActive: 1 });
    expect((await plain.waitFor('ready')).data.target).toBe('/room/concert');
    expect((await wanting.waitFor('ready')).data.target).toBe('/shop/12?ref=mail');
    await ask(app, 'POST', '/api/queue/check/concert', plain.cookie);
    const hostile = await openStream(`${pathOf(app)}?to=%2F%2Fevil.example`, { cookie: plain.cookie });
    expect((await hostile.waitFor('admitted')).data.target).toBe('/room/concert');
    expect((await wanting.waitFor('admitted')).data.target).toBe('/shop/12?ref=mail');
  });

  it('sends new positions as the line moves', async () => {
    const app = await runApp({ room: { maxActive: 1 } });
    const [first, second, third] = [
      await openStream(pathOf(app)),
      await openStream(pathOf(app)),
      await openStream(pathOf(app)),
    ];
    expect((await third!.waitFor('position')).data).toMatchObject({ position: 2, peopleAhead: 1 });
    await ask(app, 'DELETE', '/events/concert/tickets/waiting', first!.cookie);
    await second!.waitFor('admitted');
    const moved = await until('the next position', () => third!.events.find(({ data }) => data.position === 1));
    expect(moved.data).toMatchObject({ number: 3, peopleAhead: 0, queueSize: 1, currentUsers: 1, threshold: 1 });
  });

  it('sends that the room is paused, the operator’s message, and that it is open again', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const stream = await openStream(pathOf(app));
    await stream.waitFor('room');
    await app.context.line.rooms.putRoom('concert', { state: 'paused', message: { ko: '잠시 멈춥니다.' } });
    const paused = await until('the pause', () => stream.events.find(({ data }) => data.state === 'paused'));
    expect(paused).toMatchObject({ name: 'room', data: { message: { ko: '잠시 멈춥니다.' } } });
    await app.context.line.rooms.putRoom('concert', { state: 'open', message: null });
    await stream.waitFor('room', stream.events.indexOf(paused) + 1);
    expect(stream.events.filter(({ name }) => name === 'room').map(({ data }) => data.state)).toEqual([
      'open',
      'paused',
      'open',
    ]);
  });

  it('keeps the place of a visitor who reconnects within the grace, and sends no room event twice', async () => {
    const app = await runApp({ room: { maxActive: 0, disconnectGraceMs: 60_000 } });
    await openStream(pathOf(app));
    const stream = await openStream(pathOf(app));
    const { id } = await stream.waitFor('room');
    const before = (await stream.waitFor('position')).data.number;
    stream.close();
    await until('the stream to be gone', () => app.context.live.hub.size === 1);
    const again = await openStream(pathOf(app), { cookie: stream.cookie, 'last-event-id': id! });
    expect((await again.waitFor('position')).data.number).toBe(before);
    expect(again.events.map(({ name }) => name)).not.toContain('room');
  });

  it('removes the place of a visitor who stays away longer than the grace', async () => {
    const app = await runApp({ room: { maxActive: 0, disconnectGraceMs: 20 } });
    const stream = await openStream(pathOf(app));
    await stream.waitFor('position');
    stream.close();
    await until(
      'the place to lapse',
      async () => (await app.context.line.rooms.findRoom('concert'))?.crowd.waiting === 0,
    );
  });

  it('releases an active visitor whose stream closes if the room has releaseOnDisconnect', async () => {
    const app = await runApp({ room: { maxActive: 1, releaseOnDisconnect: true } });
    const [inside, waiting] = [await openStream(pathOf(app)), await openStream(pathOf(app))];
    await inside.waitFor('admitted');
    await waiting.waitFor('position');
    inside.close();
    await waiting.waitFor('admitted');
  });

  it('removes the place on DELETE, ends its streams, and stops the browser from reconnecting', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const stream = await openStream(pathOf(app));
    await stream.waitFor('position');
    const left = await ask(app, 'DELETE', '/events/concert/tickets/waiting', stream.cookie);
    expect(left).toEqual({ left: true, status: 'not_in_queue' });
    const bye = await stream.waitFor('bye');
    expect(bye.data).toEqual({ reason: 'left' });
    await until('the end', () => stream.hasEnded());
    expect((await app.context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(0);
    const again = await openStream(pathOf(app), { cookie: stream.cookie, 'last-event-id': bye.id! });
    expect(again.status).toBe(204);
    const twice = await ask(app, 'DELETE', '/events/concert/tickets/waiting', stream.cookie);
    expect(twice).toEqual({ left: false, status: 'not_in_queue' });
  });

  it('sends gone when the place ended elsewhere', async () => {
    const app = await runApp({ room: { maxActive: 0, seenTtlMs: 1_000 } });
    await openStream(pathOf(app));
    const stream = await openStream(pathOf(app));
    await stream.waitFor('position');
    await ask(app, 'POST', '/api/queue/leave/concert', stream.cookie);
    expect((await stream.waitFor('gone')).data).toEqual({ reason: 'lapsed' });
    await until('the end', () => stream.hasEnded());
  });

  it('recovers from a lost hint', async () => {
    const lostHints = (context: Context): Context => ({ ...context, live: { ...context.live, onAdmitted: () => {} } });
    const app = await runApp({ room: { maxActive: 0 }, alter: lostHints });
    const stream = await openStream(pathOf(app));
    await stream.waitFor('position');
    await app.context.line.rooms.putRoom('concert', { maxActive: 1 });
    await stream.waitFor('admitted');
  });

  it('ends the oldest of three streams of one visitor', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const first = await openStream(pathOf(app));
    const headers = { cookie: first.cookie };
    const others = [await openStream(pathOf(app), headers), await openStream(pathOf(app), headers)];
    expect((await first.waitFor('bye')).data).toEqual({ reason: 'replaced' });
    for (const stream of others) expect((await stream.waitFor('position')).data.number).toBe(1);
    expect(others.some((stream) => stream.hasEnded())).toBe(false);
  });

  it('limits the open streams per IP address', async () => {
    const app = await runApp({ room: { maxActive: 0 }, env: { LIMIT_STREAMS_PER_IP: '2' } });
    for (let i = 0; i < 5; i += 1) expect((await openStream(pathOf(app, 'unknown'))).status).toBe(404);
    const first = await openStream(pathOf(app));
    expect(first.status).toBe(200);
    expect((await openStream(pathOf(app))).status).toBe(200);
    const refused = await openStream(pathOf(app));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect((await app.context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(2);
    first.close();
    await until('room for another', async () => (await openStream(pathOf(app))).status === 200);
  });

  it('responds with an error if it cannot open a stream', async () => {
    const app = await runApp({ room: { state: 'closed' }, env: { GUESTS: 'off' } });
    expect((await openStream(pathOf(app))).status).toBe(401);
    expect((await openStream(pathOf(app), { authorization: 'Bearer forged' })).status).toBe(401);
    expect((await openStream(pathOf(app, 'not%20an%20id'))).status).toBe(400);
    const open = await runApp({ room: { state: 'closed' } });
    expect((await openStream(pathOf(open))).status).toBe(409);
    expect((await openStream(pathOf(open, 'unknown'))).status).toBe(404);
    expect((await fetch(pathOf(open), { method: 'HEAD' })).status).toBe(405);
  });

  it('shares the limit on new places with the poll door', async () => {
    const app = await runApp({ room: { maxActive: 0 }, env: { LIMIT_GUEST_JOIN_PER_IP: '1' } });
    await ask(app, 'POST', '/api/queue/check/concert', '');
    expect((await openStream(pathOf(app))).status).toBe(429);
  });

  it('drops a client that stops reading', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    onTestFinished(() => {
      socket.destroy();
    });
    socket.pause();
    socket.write(REQUEST);
    const { hub } = app.context.live;
    const watcher = await until('the stream', () => hub.listWatchers('concert')[0]);
    const filler = `: ${'x'.repeat(60_000)}\n\n`;
    await until('the client to be dropped', () => {
      hub.write(watcher, () => filler);
      return hub.size === 0;
    });
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('fairline_streams_dropped_total{reason="slow"} 1');
    expect((await app.context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(1);
  });

  it('leaks nothing when clients disconnect at any moment', async () => {
    const room = { maxActive: 5, disconnectGraceMs: 0, releaseOnDisconnect: true };
    const app = await runApp({ room, env: { LIMIT_STREAMS_PER_IP: '20', JOURNAL_SYNC: 'on' } });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => breakOff(app, (socket) => setTimeout(() => reset(socket), i))),
      );
    }
    await until('all streams to be gone', () => app.context.live.hub.size === 0);
    await until('the room to be empty', async () => {
      const { waiting, admitted, active } = (await app.context.line.rooms.findRoom('concert'))!.crowd;
      return waiting + admitted + active === 0;
    });
    const others = await Promise.all(Array.from({ length: 20 }, () => openStream(pathOf(app))));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('opens one stream per connection, however many were requested on it', async () => {
    const app = await runApp({ room: { maxActive: 0 } });
    const { hub } = app.context.live;
    let mostOpen = 0;
    await breakOff(app, (socket) => {
      socket.write(REQUEST + REQUEST);
      socket.on('data', (data) => {
        mostOpen = Math.max(mostOpen, hub.size);
        // By the second position all three requests have been handled.
        if (String(data).startsWith('event: position')) reset(socket);
      });
    });
    expect(mostOpen).toBe(1);
    await until('the stream to be gone', () => hub.size === 0);
  });

  it('sends bye when the program stops, and keeps every place across the restart', async () => {
    const dataDir = tempFolder();
    const app = await runApp({ dataDir, room: { maxActive: 0, disconnectGraceMs: 0 } });
    await openStream(pathOf(app));
    const stream = await openStream(pathOf(app));
    const before = (await stream.waitFor('position')).data.number;
    await app.stop();
    expect((await stream.waitFor('bye')).data).toEqual({ reason: 'stopping' });
    await until('the end', () => stream.hasEnded());
    const next = await runApp({ dataDir, room: { maxActive: 0 } });
    const again = await openStream(pathOf(next), { cookie: stream.cookie });
    expect((await again.waitFor('position')).data).toMatchObject({ number: before, position: 2, queueSize: 2 });
  });
});

/** A client that requests a stream and runs `then` until its connection is closed. */
function breakOff({ url }: RunningApp, then: (socket: Socket) => unknown): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(REQUEST);
      then(socket);
    });
    socket.resume();
    socket.on('error', () => {});
    socket.once('close', () => resolve());
  });
}

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

// biome-ignore lint/suspicious/noExplicitAny: tests know what they expect.
async function ask({ url }: RunningApp, method: string, path: string, cookie: string): Promise<any> {
  return (await fetch(url + path, { method, headers: { cookie } })).json();
}

function claimsOf(token: string): { jti: string } {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

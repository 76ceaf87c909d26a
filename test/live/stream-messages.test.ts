/** Streams for clients that listen to `message` only. All tests share one instance, with a room each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import { formatLast } from '../../src/live/hub/messages.ts';
import { type EventStream, openStream } from '../support/event-stream.ts';
import { type RunningApp, startApp } from '../support/running-app.ts';
import { until } from '../support/until.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'fairline-messages-'));
let app: RunningApp;
let rooms = 0;
beforeAll(async () => {
  app = await startApp({ dataDir });
});
afterAll(async () => {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function openRoom(settings: RoomChange) {
  rooms += 1;
  const eventId = `event-${rooms}`;
  const change = (room: RoomChange) => app.context.line.rooms.putRoom(eventId, room);
  await change(settings);
  return { eventId, change, path: `${app.url}/events/${eventId}/tickets/waiting` };
}

const namesOf = ({ events }: EventStream) => [...new Set(events.map(({ name }) => name))];
const findStatus = (stream: EventStream, status: string) =>
  until(`the status ${status}`, () => stream.events.find(({ data }) => data.status === status));

describe('a stream of messages', () => {
  it('sends the order, then the entry token, all without a name', async () => {
    const { eventId, change, path } = await openRoom({ maxActive: 0 });
    const ahead = await openStream(path);
    await ahead.waitFor('position');
    const stream = await openStream(`${path}?format=message`);
    const { data } = await stream.waitFor('message');
    expect(data).toEqual({ status: 'IN_ENTRY', userId: expect.any(String), eventId, order: 2, token: null });
    await fetch(path, { method: 'DELETE', headers: { cookie: ahead.cookie } });
    await until('the next order', () => stream.events.find((event) => event.data.order === 1));
    await change({ maxActive: 1 });
    const inside = (await findStatus(stream, 'IN_PROGRESS')).data;
    expect(inside).toEqual({ ...data, status: 'IN_PROGRESS', order: 0, token: expect.any(String) });
    expect(namesOf(stream)).toEqual(['message']);
    const gate = await fetch(`${app.url}/gate/verify?eventId=${eventId}`, {
      headers: { cookie: stream.cookie, 'x-queue-entry-token': inside.token },
    });
    expect(gate.status).toBe(200);
  });

  it('is what a room with that setting sends, except to clients that ask for named events', async () => {
    const { path } = await openRoom({ maxActive: 0, streamFormat: 'message' });
    const plain = await openStream(path);
    const named = await openStream(`${path}?format=named`, { cookie: plain.cookie });
    expect((await plain.waitFor('message')).data).toMatchObject({ status: 'IN_ENTRY', order: 1 });
    expect((await named.waitFor('position')).data).toMatchObject({ position: 1 });
    expect(namesOf(plain)).toEqual(['message']);
    expect(namesOf(named)).toEqual(['room', 'position']);
  });

  it('says in a claim room that nobody is ahead, and sends the token once the visitor has entered', async () => {
    const { eventId, path } = await openRoom({ maxActive: 1, admission: 'claim', streamFormat: 'message' });
    const stream = await openStream(path);
    await until('the turn', () => stream.events.find(({ data }) => data.order === 0));
    expect(stream.events.at(-1)!.data).toMatchObject({ status: 'IN_ENTRY', token: null });
    await fetch(`${app.url}/api/queue/check/${eventId}`, { method: 'POST', headers: { cookie: stream.cookie } });
    expect((await findStatus(stream, 'IN_PROGRESS')).data.token).toEqual(expect.any(String));
  });

  it('ends with EXPIRED when the visitor has left, and does not start again by itself', async () => {
    const { path } = await openRoom({ maxActive: 0, streamFormat: 'message' });
    const stream = await openStream(path);
    await stream.waitFor('message');
    await fetch(path, { method: 'DELETE', headers: { cookie: stream.cookie } });
    const last = await findStatus(stream, 'EXPIRED');
    expect(last).toMatchObject({ id: 'end', data: { order: null, token: null } });
    await until('the end', stream.hasEnded);
    const again = await fetch(path, { headers: { cookie: stream.cookie, 'last-event-id': last.id! } });
    expect(again.status).toBe(204);
  });

  it('is also below the prefix of the API, where it counts as the same stream', async () => {
    const { eventId, path } = await openRoom({ maxActive: 0, streamFormat: 'message' });
    const stream = await openStream(`${app.url}/api/v1/events/${eventId}/tickets/waiting`);
    await stream.waitFor('message');
    await fetch(path, { method: 'DELETE', headers: { cookie: stream.cookie } });
    await findStatus(stream, 'EXPIRED');
  });

  it('has no position for a visitor who waits for a draw', async () => {
    const opensAt = new Date(Date.now() + 3_600_000).toISOString();
    const { path } = await openRoom({ order: 'draw', opensAt, streamFormat: 'message' });
    const stream = await openStream(path);
    expect((await stream.waitFor('message')).data).toMatchObject({ status: 'IN_ENTRY', order: null });
  });

  it('refuses a format that does not exist', async () => {
    const { path } = await openRoom({});
    expect((await fetch(`${path}?format=xml`)).status).toBe(400);
  });

  it('ends without a word when the client should reconnect: it has its place', () => {
    const who = { eventId: 'concert', visitor: 'ann' };
    expect((['stopping', 'slow', 'renamed'] as const).map((reason) => formatLast(who, reason))).toEqual(['', '', '']);
    expect(formatLast(who, 'replaced')).toBe('id: end\n\n');
  });
});

/** What each door answers in each state of a room: the table of docs/reference/line.md. */
import { describe, expect, it } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { createTestApp } from '../../support/test-app.ts';

const states = ['not_open', 'open', 'paused', 'closed'] as const;
type State = (typeof states)[number];

/** A claim room with one visitor inside, one ready and one waiting, then put into a state. */
async function openRoomIn(state: State) {
  const test = await createTestApp();
  const put = (change: object) => test.operator('PUT', '/api/admin/rooms/concert', { body: change });
  const join = (user: string) => test.as(user)('POST', '/api/queue/join', { body: { event_id: 'concert' } });
  await put({ maxActive: 2, admission: 'claim' });
  await test.as('inside')('POST', '/api/queue/check/concert');
  const tokens = {
    ready: (await join('ready')).json().waiting_token,
    waiter: (await join('waiter')).json().waiting_token,
  };
  const opensAt = new Date(test.clock.now() + 3_600_000).toISOString();
  await put(state === 'not_open' ? { opensAt } : { state });
  const claimStatus = async (token: string) => (await test.anyone('GET', `/api/queue/status?token=${token}`)).json();
  const enter = (token: string) => test.anyone('POST', '/api/queue/enter', { body: { waiting_token: token } });
  return { ...test, join, tokens, claimStatus, enter };
}

describe.each(states)('in a room that is %s', (state) => {
  const mayJoin = state !== 'closed';
  const time = state === 'open' ? { estimatedWait: expect.any(Number) } : { estimatedWait: null, waitReason: state };

  it('gives a new visitor a place at every door, unless the room is closed', async () => {
    const { as, join, app, userToken } = await openRoomIn(state);
    const checked = await as('new-1')('POST', '/api/queue/check/concert');
    const joined = await join('new-2');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const authorization = `Bearer ${userToken('new-3')}`;
    const stream = await openStream(`${url}/events/concert/tickets/waiting`, { authorization });
    if (!mayJoin) {
      expect([checked.statusCode, joined.statusCode, stream.status]).toEqual([409, 409, 409]);
      for (const answer of [checked, joined]) expect(answer.json().error.code).toBe('ROOM_CLOSED');
      return;
    }
    expect([checked.statusCode, joined.statusCode, stream.status]).toEqual([200, 202, 200]);
    expect(checked.json()).toMatchObject({ status: 'queued', position: 2, ...time, eventInfo: { state } });
    expect(joined.json()).toMatchObject({ status: 'waiting', position_hint: 3 });
    expect((await stream.waitFor('room')).data.state).toBe(state);
    expect((await stream.waitFor('position')).data).toMatchObject({ position: 4, ...time });
  });

  it('keeps a waiter’s place, says why there is no estimate, and refuses entry', async () => {
    const { as, tokens, claimStatus, enter } = await openRoomIn(state);
    const status = (await as('waiter')('GET', '/api/queue/status/concert')).json();
    expect(status).toMatchObject({ status: 'queued', position: 1, ...time, eventInfo: { state } });
    const claim = await claimStatus(tokens.waiter);
    expect(claim).toMatchObject({ status: 'waiting', position: 1, ready_for_entry: false });
    expect(claim.wait_reason).toBe(state === 'open' ? undefined : state);
    const refused = await enter(tokens.waiter);
    expect(refused.json().error.code).toBe('NOT_READY');
    expect((await as('waiter')('POST', '/api/queue/check/concert')).json()).toMatchObject({ status: 'queued' });
  });

  it('lets a ready visitor enter and keeps an active one inside', async () => {
    const { as, tokens, claimStatus, enter } = await openRoomIn(state);
    expect(await claimStatus(tokens.ready)).toMatchObject({ status: 'ready', ready_for_entry: true });
    const status = (await as('ready')('GET', '/api/queue/status/concert')).json();
    expect(status).toMatchObject({ status: 'queued', readyForEntry: true, eventInfo: { state } });
    expect((await enter(tokens.ready)).json()).toMatchObject({ admission: 'granted' });
    const inside = (await as('inside')('GET', '/api/queue/status/concert')).json();
    expect(inside).toMatchObject({ status: 'active', entryToken: expect.any(String), eventInfo: { state } });
  });
});

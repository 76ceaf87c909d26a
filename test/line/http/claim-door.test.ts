import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeIdOf } from '../../../src/line/model/standing.ts';
import { runAdmitterOnce } from '../../../src/line/roles/admitter.ts';
import { createWaitingTokens } from '../../../src/line/tokens/waiting-tokens.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { cookiesOf, createTestApp, secrets } from '../../support/test-app.ts';
import { until } from '../../support/until.ts';
import { finishDraw } from '../draw-contract.ts';

async function openRoom(settings: Record<string, unknown> = {}, env: Record<string, string> = {}) {
  const test = await createTestApp(env);
  const put = (change: Record<string, unknown>) => test.operator('PUT', '/api/admin/rooms/concert', { body: change });
  await put({ maxActive: 1, admission: 'claim', claimTtlMs: 30_000, ...settings });
  // Tests on Redis share a server.
  await test.operator('POST', '/api/queue/admin/clear/concert');
  const admit = () => runAdmitterOnce({ ...test.context.line, metrics: test.context.lineMetrics });
  const join = (user: string, key?: string, body: Record<string, unknown> = {}) =>
    test.as(user)('POST', '/api/v1/queue/join', {
      body: { event_id: 'concert', ...body },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const tokenOf = async (user: string, key?: string): Promise<string> => (await join(user, key)).json().waiting_token;
  const status = (token: string) => test.anyone('GET', `/api/v1/queue/status?token=${token}`);
  const enter = (token: string) => test.anyone('POST', '/api/v1/queue/enter', { body: { waiting_token: token } });
  return { ...test, put, admit, join, tokenOf, status, enter };
}

describe('the claim door', () => {
  it('takes a visitor from joining through waiting and being ready to entering', async () => {
    const { as, admit, join, tokenOf, status, enter, clock } = await openRoom();
    const first = await join('a');
    expect(first.statusCode).toBe(202);
    expect(first.json()).toEqual({
      waiting_token: expect.any(String),
      position_hint: 0,
      status: 'ready',
      target: '/events/concert/seats',
    });
    const waiting = await join('b');
    expect(waiting.json()).toMatchObject({ position_hint: 1, status: 'waiting' });
    const token = waiting.json().waiting_token;

    clock.advance(12_000);
    expect((await status(token)).json()).toEqual({
      status: 'waiting',
      position: 1,
      rank: 0,
      aheadCount: 0,
      eta_sec: expect.any(Number),
      eta_range: { low: expect.any(Number), high: expect.any(Number) },
      confidence: expect.any(Number),
      waiting_time: 12,
      ready_for_entry: false,
      next_poll: 1,
      target: '/events/concert/seats',
    });
    const refused = await enter(token);
    expect(refused.statusCode).toBe(403);
    const { error, retry_after_sec } = refused.json();
    expect(error).toMatchObject({ code: 'NOT_READY', trace_id: expect.any(String) });
    expect(retry_after_sec).toBeGreaterThanOrEqual(1);
    expect(refused.headers['retry-after']).toBe(String(retry_after_sec));

    await as('a')('POST', '/api/queue/leave/concert');
    await admit();
    expect((await status(token)).json()).toMatchObject({
      status: 'ready',
      position: 0,
      eta_sec: 0,
      waiting_time: 12,
      ready_for_entry: true,
      enter_by: new Date(clock.now() + 30_000).toISOString(),
    });
    expect(await tokenOf('b', 'once more')).toBe(token);
    clock.advance(29_999);
    const granted = await enter(token);
    expect(granted.statusCode).toBe(200);
    expect(granted.json()).toEqual({
      admission: 'granted',
      reservation_token: expect.any(String),
      ttl_sec: 600,
      target: '/events/concert/seats',
    });
    expect(cookiesOf(granted)['urr-entry-token']).toBe(granted.json().reservation_token);
    expect((await status(token)).json()).toMatchObject({ status: 'entered', ready_for_entry: false });
    const headers = { 'x-queue-entry-token': granted.json().reservation_token };
    expect((await as('b')('GET', '/gate/verify?eventId=concert', { headers })).statusCode).toBe(200);
  });

  it('grants entry again to a visitor inside, with the same token id', async () => {
    const { tokenOf, enter } = await openRoom();
    const token = await tokenOf('a');
    const ids = [await enter(token), await enter(token)].map((answer) => claimsOf(answer.json().reservation_token).jti);
    expect(ids[0]).toBe(ids[1]);
  });

  it('does not change a place when its status is read, in both kinds of rooms', async () => {
    for (const admission of ['auto', 'claim']) {
      const { as, admit, tokenOf, status, context } = await openRoom({ admission, admitPerSecond: 1, burst: 1 });
      await tokenOf('a');
      const token = await tokenOf('b');
      await as('a')('POST', '/api/queue/leave/concert');
      for (let i = 0; i < 50; i += 1) await status(token);
      await admit();
      for (let i = 0; i < 50; i += 1) await status(token);
      const { crowd } = (await context.line.rooms.findRoom('concert'))!;
      expect(crowd.active, admission).toBe(0);
    }
  });

  it('reports an expired place once its claim has ended, and refuses to enter it', async () => {
    const { tokenOf, status, enter, clock } = await openRoom();
    const token = await tokenOf('a');
    clock.advance(30_000);
    expect((await status(token)).json()).toMatchObject({
      status: 'expired',
      position: null,
      eta_sec: null,
      ready_for_entry: false,
    });
    const late = await enter(token);
    expect(late.statusCode).toBe(410);
    expect(late.json().error.code).toBe('PLACE_GONE');
  });

  it('does not accept the token of an earlier place for a later one', async () => {
    const { as, tokenOf, status, enter } = await openRoom();
    const earlier = await tokenOf('a', 'one');
    await as('a')('POST', '/api/queue/leave/concert');
    const later = await tokenOf('a', 'two');
    expect(later).not.toBe(earlier);
    expect((await status(earlier)).json().status).toBe('expired');
    expect((await enter(earlier)).statusCode).toBe(410);
    expect((await enter(later)).statusCode).toBe(200);
  });

  it('responds to a repeated request with 409 and the same token, by key or within ten seconds', async () => {
    const { join, clock, context } = await openRoom({ maxActive: 0 });
    for (const key of ['k', undefined]) {
      const user = `user of ${key}`;
      const first = await join(user, key);
      const again = await join(user, key);
      expect([first.statusCode, again.statusCode]).toEqual([202, 409]);
      expect(again.json().error).toMatchObject({ code: 'DUPLICATE_REQUEST', trace_id: expect.any(String) });
      expect(again.json()).toMatchObject(first.json());
    }
    clock.advance(10_000);
    expect((await join('user of undefined')).statusCode).toBe(202);
    const kept = await join('user of k', 'k');
    expect(kept.statusCode).toBe(409);
    expect((await context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(2);
  });

  it('returns the same place for a new key, and refuses a key used for another event', async () => {
    const { as, operator, join } = await openRoom({ maxActive: 0 });
    await operator('PUT', '/api/admin/rooms/other', { body: { maxActive: 0 } });
    const first = await join('a', 'k1');
    const second = await join('a', 'k2');
    expect(second.statusCode).toBe(202);
    expect(second.json()).toEqual(first.json());
    const headers = { 'idempotency-key': 'k1' };
    const reused = await as('a')('POST', '/api/v1/queue/join', { body: { event_id: 'other' }, headers });
    expect(reused.statusCode).toBe(422);
    expect(reused.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('gives no new place for a key whose place was given up, but does without a key', async () => {
    const { as, join } = await openRoom({ maxActive: 0 });
    for (const [key, code] of [
      ['k', 409],
      [undefined, 202],
    ] as const) {
      await join('a', key);
      await as('a')('POST', '/api/queue/leave/concert');
      const again = await join('a', key);
      expect(again.statusCode).toBe(code);
      expect('waiting_token' in again.json()).toBe(code === 202);
      expect(again.json().status).toBe(code === 202 ? 'waiting' : 'expired');
    }
  });

  it('ignores a user_id that is not the caller’s, and says so', async () => {
    const { join, anyone } = await openRoom({ maxActive: 0 });
    const own = await join('a', 'k', { user_id: 'a' });
    expect([own.statusCode, own.headers['x-queue-warning']]).toEqual([202, undefined]);
    const asBody = { body: { event_id: 'concert', user_id: 'a' } };
    for (const foreign of [await join('b', 'k', { user_id: 'a' }), await anyone('POST', '/api/queue/join', asBody)]) {
      expect(foreign.statusCode).toBe(202);
      expect(foreign.headers['x-queue-warning']).toMatch(/user_id was ignored/);
      expect(claimsOf(foreign.json().waiting_token).uid).not.toBe('a');
    }
  });

  it('refuses a user_id that is not the caller’s where guests are not allowed', async () => {
    const { join, anyone } = await openRoom({}, { GUESTS: 'off' });
    expect((await join('a', 'k', { user_id: 'a' })).statusCode).toBe(202);
    const forged = await join('b', 'k', { user_id: 'a' });
    expect(forged.json().error.code).toBe('OTHER_VISITOR');
    expect(forged.statusCode).toBe(403);
    const unsigned = await anyone('POST', '/api/queue/join', { body: { event_id: 'concert', user_id: 'a' } });
    expect(unsigned.statusCode).toBe(403);
  });

  it('refuses a visitor who acts for another', async () => {
    const { as, tokenOf } = await openRoom();
    const token = await tokenOf('a');
    expect((await as('b')('DELETE', `/api/queue/leave?token=${token}`)).json().error.code).toBe('OTHER_VISITOR');
    expect((await as('b')('GET', `/api/queue/status?token=${token}`)).statusCode).toBe(403);
    const stolen = await as('b')('POST', '/api/queue/enter', { body: { waiting_token: token } });
    expect(stolen.json().error.code).toBe('OTHER_VISITOR');
  });

  it('does not lose the turn of a visitor who asks long after it came', async () => {
    const { as, admit, tokenOf, status, enter, clock } = await openRoom({ claimTtlMs: 20_000 });
    await tokenOf('a');
    const token = await tokenOf('b');
    await as('a')('POST', '/api/queue/leave/concert');
    await admit();
    clock.advance(29_000);
    await admit();
    expect((await status(token)).json()).toMatchObject({
      ready_for_entry: true,
      enter_by: new Date(clock.now() + 20_000).toISOString(),
    });
    clock.advance(19_999);
    expect((await status(token)).json()).toMatchObject({ enter_by: new Date(clock.now() + 1).toISOString() });
    expect((await enter(token)).statusCode).toBe(200);
  });

  it('says waiting to a visitor who is ready, in a room whose readyStatus is waiting', async () => {
    const { join, status, enter } = await openRoom({ readyStatus: 'waiting' });
    const joined = (await join('a')).json();
    expect(joined.status).toBe('waiting');
    expect((await status(joined.waiting_token)).json()).toMatchObject({ status: 'waiting', ready_for_entry: true });
    await enter(joined.waiting_token);
    expect((await status(joined.waiting_token)).json()).toMatchObject({ status: 'entered', ready_for_entry: false });
  });

  it('leaves by the token, in any state, and only the place of that token', async () => {
    const { anyone, admit, tokenOf, status, enter } = await openRoom();
    const leave = (token: string) => anyone('DELETE', `/api/v1/queue/leave?token=${token}`);
    const inside = await tokenOf('a', 'one');
    await enter(inside);
    const waiting = await tokenOf('b', 'one');
    const left = await leave(inside);
    expect([left.statusCode, left.json()]).toEqual([200, { status: 'left', left: true }]);
    expect(cookiesOf(left)['urr-entry-token']).toBe('');
    await admit();
    expect((await status(waiting)).json().status).toBe('ready');
    const byHeader = await anyone('DELETE', '/api/queue/leave', { headers: { 'x-waiting-token': waiting } });
    expect(byHeader.json()).toEqual({ status: 'left', left: true });
    const later = await tokenOf('b', 'two');
    expect((await leave(waiting)).json(), 'again, with the token of the earlier place').toEqual({
      status: 'left',
      left: false,
    });
    expect((await status(later)).json().status).toBe('ready');
    expect((await leave('nonsense')).json().error.code).toBe('WAITING_TOKEN_INVALID');
    expect((await anyone('DELETE', '/api/queue/leave')).statusCode).toBe(400);
  });

  it('is strict about keys and tokens with CLAIM_STRICT', async () => {
    const { join, tokenOf, status, enter, anyone, clock } = await openRoom({}, { CLAIM_STRICT: 'on' });
    const without = await join('a');
    expect([without.statusCode, without.json().error.code]).toEqual([400, 'IDEMPOTENCY_REQUIRED']);
    const token = await tokenOf('a', 'k');
    expect((await enter(token)).json().error.code).toBe('IDEMPOTENCY_REQUIRED');
    const enterWithKey = (waiting_token: string) =>
      anyone('POST', '/api/queue/enter', { body: { waiting_token }, headers: { 'idempotency-key': 'e' } });
    const leave = (of: string) => anyone('DELETE', `/api/queue/leave?token=${of}`);
    for (const unknown of [await status('nonsense'), await enterWithKey('nonsense'), await leave('nonsense')]) {
      expect([unknown.statusCode, unknown.json().error.code]).toEqual([404, 'TOKEN_NOT_FOUND']);
    }
    clock.advance(30_000);
    for (const gone of [await status(token), await enterWithKey(token)]) {
      expect([gone.statusCode, gone.json().error.code]).toEqual([404, 'TOKEN_NOT_FOUND']);
    }
    expect((await leave(token)).json()).toEqual({ status: 'left', left: false });
    expect((await enterWithKey(await tokenOf('a', 'l'))).statusCode).toBe(200);
  });

  it('accepts guests, by cookie or by token', async () => {
    const { anyone, status, enter } = await openRoom();
    const joined = await anyone('POST', '/api/queue/join', { body: { event_id: 'concert' } });
    expect(joined.statusCode).toBe(202);
    expect(cookiesOf(joined)).toHaveProperty('fairline-guest');
    expect((await status(joined.json().waiting_token)).json().status).toBe('ready');
    expect((await enter(joined.json().waiting_token)).statusCode).toBe(200);
  });

  it('accepts only its own tokens: no forged ones and no entry tokens', async () => {
    const { as, tokenOf, status, enter, clock } = await openRoom();
    const token = await tokenOf('a');
    const entryToken = (await enter(token)).json().reservation_token;
    const forged = createWaitingTokens(['some-other-secret-0123456789abcdef'], clock).issue('concert', 'a', {
      placeId: claimsOf(token).jti,
      joinedAt: clock.now(),
    });
    for (const bad of [forged, entryToken, 'nonsense', `${token}x`]) {
      expect((await status(bad)).json().error.code).toBe('WAITING_TOKEN_INVALID');
      expect((await enter(bad)).statusCode).toBe(403);
    }
    const headers = { 'x-queue-entry-token': token };
    const passed = await as('a')('GET', '/gate/verify?eventId=concert', { headers });
    expect(passed.json().error.code).toBe('ENTRY_TOKEN_INVALID');
  });

  it('accepts tokens signed with the previous secret while it is configured', async () => {
    const { clock, status, context } = await openRoom(
      {},
      { QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: 'the-secret-before-0123456789abcdef-0123' },
    );
    const joined = await context.line.visits.join('concert', 'a');
    if (!('standing' in joined) || joined.standing.state === 'absent') throw new Error('expected a place');
    const before = createWaitingTokens(['the-secret-before-0123456789abcdef-0123'], clock);
    const place = { placeId: placeIdOf(joined.standing), joinedAt: joined.standing.joinedAt };
    expect((await status(before.issue('concert', 'a', place))).json().status).toBe('ready');
  });

  it.each([
    ['no body', undefined, {}],
    ['no event', {}, {}],
    ['a wrong event id', { event_id: 'a b' }, {}],
    ['an unknown field', { event_id: 'concert', number: 1 }, {}],
    ['an empty user', { event_id: 'concert', user_id: '' }, {}],
    ['an empty key', { event_id: 'concert' }, { 'idempotency-key': '' }],
    ['a key that is too long', { event_id: 'concert' }, { 'idempotency-key': 'k'.repeat(256) }],
    ['a key that is not printable', { event_id: 'concert' }, { 'idempotency-key': 'k\u00e9y' }],
  ])('refuses to join with %s: 400, names the field, changes nothing', async (_name, body, headers) => {
    const { as, context } = await openRoom();
    const answer = await as('a')('POST', '/api/v1/queue/join', { body, headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field: expect.any(String) }] });
    const { waiting, admitted } = (await context.line.rooms.findRoom('concert'))!.crowd;
    expect(waiting + admitted).toBe(0);
  });

  it('responds 400 to status and enter without a token', async () => {
    const { anyone } = await openRoom();
    expect((await anyone('GET', '/api/queue/status')).statusCode).toBe(400);
    expect((await anyone('GET', `/api/queue/status?token=${'x'.repeat(2_049)}`)).statusCode).toBe(400);
    expect((await anyone('POST', '/api/queue/enter', { body: {} })).statusCode).toBe(400);
  });

  it('takes the token of a header, which wins over that of the query', async () => {
    const { anyone, tokenOf } = await openRoom();
    const token = await tokenOf('a');
    const byHeader = (sent: string, query = '') =>
      anyone('GET', `/api/v1/queue/status${query}`, { headers: { 'x-waiting-token': sent } });
    expect((await byHeader(token)).json().status).toBe('ready');
    expect((await byHeader(token, '?token=forged')).json().status).toBe('ready');
    expect((await byHeader('forged', `?token=${token}`)).json().error.code).toBe('WAITING_TOKEN_INVALID');
    expect((await byHeader('x'.repeat(2_049))).statusCode).toBe(400);
    const missing = (await anyone('GET', '/api/v1/queue/status')).json().error;
    expect(missing).toMatchObject({ code: 'INVALID_INPUT', fields: [{ field: 'x-waiting-token' }] });
  });

  it('responds 404 for an event without a room', async () => {
    const { as, clock, status } = await openRoom();
    const joined = await as('a')('POST', '/api/queue/join', { body: { event_id: 'other' } });
    expect(joined.json().error.code).toBe('EVENT_NOT_FOUND');
    const tokens = createWaitingTokens([secrets.QUEUE_ENTRY_TOKEN_SECRET], clock);
    const token = tokens.issue('other', 'a', { placeId: 'x.1', joinedAt: clock.now() });
    expect((await status(token)).statusCode).toBe(404);
  });

  it('works beside the poll door: one path has the event, the other the token', async () => {
    const { as, tokenOf, status } = await openRoom();
    const token = await tokenOf('a');
    expect((await as('a')('GET', '/api/v1/queue/status/concert')).json()).toMatchObject({
      status: 'queued',
      readyForEntry: true,
    });
    expect((await status(token)).json()).toMatchObject({ status: 'ready' });
  });

  it('forbids caching of every response', async () => {
    const { join, tokenOf, status, enter } = await openRoom();
    const token = await tokenOf('a');
    for (const answer of [await join('a'), await status(token), await enter(token)]) {
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('derives the retry time from the opening, the minimum wait or the next poll', async () => {
    const { put, tokenOf, enter, clock } = await openRoom({ state: 'paused' });
    const token = await tokenOf('a');
    const seconds = async () => (await enter(token)).json().retry_after_sec;
    expect(await seconds()).toBe(1);
    await put({ state: 'open', opensAt: new Date(clock.now() + 90_500).toISOString() });
    expect(await seconds()).toBe(91);
    await put({ opensAt: null, maxActive: 0, claimTtlMs: 8_000 });
    expect(await seconds(), 'never so late that the promised time is over').toBeLessThanOrEqual(4);
    await put({ maxActive: 100, minWaitMs: 40_000 });
    clock.advance(10_000);
    expect(await seconds()).toBe(30);
  });

  it('counts granted and refused entries, and repeated requests', async () => {
    const { join, tokenOf, enter, clock, anyone } = await openRoom();
    const [a, b] = [await tokenOf('a', 'k'), await tokenOf('b', 'k')];
    await join('a', 'k');
    for (const token of [a, b]) await enter(token);
    clock.advance(3_600_000);
    await enter(a);
    const metrics = (await anyone('GET', '/metrics')).body;
    for (const line of [
      'fairline_enters_total{outcome="granted"} 1',
      'fairline_enters_total{outcome="not-ready"} 1',
      'fairline_enters_total{outcome="gone"} 1',
      'fairline_joins_total{outcome="duplicate"} 1',
    ]) {
      expect(metrics).toContain(line);
    }
  });
});

describe('the claim door before and after a draw', () => {
  async function openDrawRoom(settings: Record<string, unknown> = {}) {
    const opensIn = 60_000;
    const room = await openRoom({ maxActive: 0 });
    const opensAt = new Date(room.clock.now() + opensIn).toISOString();
    expect((await room.put({ order: 'draw', opensAt, ...settings })).statusCode).toBe(200);
    const draw = async () => {
      room.clock.advance(opensIn);
      await finishDraw(room.context.line.draws, 'concert');
    };
    return { ...room, draw };
  }

  it('takes a visitor with one token from the lobby through the draw to entering', async () => {
    const { join, tokenOf, status, enter, admit, put, draw, clock } = await openDrawRoom();
    const joined = await join('a', 'k');
    expect(joined.statusCode).toBe(202);
    expect(joined.json()).toEqual({
      waiting_token: expect.any(String),
      position_hint: null,
      status: 'waiting',
      target: '/events/concert/seats',
    });
    const token = joined.json().waiting_token;
    const again = await join('a', 'k');
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject(joined.json());

    clock.advance(5_000);
    const before = (await status(token)).json();
    expect(before).toEqual({
      status: 'waiting',
      position: null,
      rank: null,
      aheadCount: null,
      eta_sec: null,
      wait_reason: 'draw',
      draw_lot: expect.stringMatching(/^[0-9a-f]{32}$/),
      waiting_time: 5,
      ready_for_entry: false,
      next_poll: 10,
      target: '/events/concert/seats',
    });
    const refused = await enter(token);
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'NOT_READY']);
    expect(refused.json().retry_after_sec).toBe(55);

    await draw();
    const after = (await status(token)).json();
    expect(after).toMatchObject({ status: 'waiting', position: 1, draw_lot: before.draw_lot });
    expect(await tokenOf('a', 'another')).toBe(token);
    await put({ maxActive: 1 });
    await admit();
    expect((await status(token)).json()).toMatchObject({ status: 'ready', draw_lot: before.draw_lot });
    expect((await enter(token)).json()).toMatchObject({ admission: 'granted' });
    expect((await status(token)).json()).toMatchObject({ status: 'entered' });
  });

  it('does not accept a token of the lobby for a place behind the draw', async () => {
    const { as, tokenOf, status, enter, draw } = await openDrawRoom();
    const token = await tokenOf('a', 'one');
    await draw();
    await as('a')('POST', '/api/queue/leave/concert');
    const later = await tokenOf('a', 'two');
    expect((await status(token)).json().status).toBe('expired');
    expect((await enter(token)).statusCode).toBe(410);
    expect((await status(later)).json()).toMatchObject({ status: 'waiting', position: 1 });
  });
});

describe('the claim door on the embedded store', () => {
  it('gives one place to a hundred concurrent requests with one key', () => joinAHundredTimes({}));
});

describeWithRedis('the claim door on Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  it('gives one place to a hundred concurrent requests with one key', () =>
    joinAHundredTimes({ REDIS_URL: server.url }));

  it('takes a visitor from joining to entering', async () => {
    const { tokenOf, status, enter } = await openRoom({}, { REDIS_URL: server.url });
    const token = await tokenOf('somebody');
    expect((await status(token)).json()).toMatchObject({ status: 'ready', ready_for_entry: true });
    expect((await enter(token)).json()).toMatchObject({ admission: 'granted' });
    expect((await status(token)).json()).toMatchObject({ status: 'entered' });
  });

  it('never reports a visitor who has just entered as waiting, although the last pulse does', async () => {
    const { as, admit, tokenOf, status, enter } = await openRoom({}, { REDIS_URL: server.url });
    await tokenOf('first');
    const token = await tokenOf('second');
    await admit();
    for (let i = 0; i < 3; i += 1) expect((await status(token)).json().status).toBe('waiting');
    await as('first')('POST', '/api/queue/leave/concert');
    await admit();
    expect((await enter(token)).statusCode).toBe(200);
    expect((await status(token)).json().status).toBe('entered');
  });

  it('takes a visitor with one token from the lobby through the draw to entering', async () => {
    const { put, admit, tokenOf, status, enter, clock } = await openRoom({ maxActive: 0 }, { REDIS_URL: server.url });
    // Redis uses its own clock.
    const opens = (inMs: number) => put({ order: 'draw', opensAt: new Date(Date.now() + inMs).toISOString() });
    await opens(3_600_000);
    const token = await tokenOf('somebody');
    await admit();
    for (let i = 0; i < 3; i += 1) {
      expect((await status(token)).json()).toMatchObject({ status: 'waiting', position: null, wait_reason: 'draw' });
    }
    await opens(-1_000);
    await until('the draw to be done', async () => {
      await admit();
      clock.advance(1_000);
      return (await status(token)).json().position === 1;
    });
    await put({ maxActive: 1 });
    await until('entering to be granted', async () => {
      await admit();
      return (await enter(token)).statusCode === 200;
    });
    expect((await status(token)).json()).toMatchObject({ status: 'entered' });
  });
});

async function joinAHundredTimes(env: Record<string, string>): Promise<void> {
  const { join, context } = await openRoom({ maxActive: 0 }, env);
  const answers = await Promise.all(Array.from({ length: 100 }, () => join('a', 'one-key')));
  const codes = answers.map(({ statusCode }) => statusCode).sort();
  expect(codes).toEqual([202, ...Array.from({ length: 99 }, () => 409)]);
  const tokens = new Set(answers.map((answer) => answer.json().waiting_token));
  expect(tokens.size).toBe(1);
  expect([...tokens][0]).toEqual(expect.any(String));
  expect((await context.line.rooms.findRoom('concert'))?.crowd.waiting).toBe(1);
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

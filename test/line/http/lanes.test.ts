import { describe, expect, it } from 'vitest';
import type { Members } from '../../../src/line/priority.ts';
import { runAdmitterOnce } from '../../../src/line/roles/admitter.ts';
import { createTestApp } from '../../support/test-app.ts';

/** Users whose id begins with m are members; records which users were looked up. */
function createMembers() {
  const asked: string[] = [];
  const members: Members = {
    async isMember(eventId, visitor) {
      asked.push(`${eventId} ${visitor}`);
      if (visitor === 'm-unlucky') throw new Error('the list of members is away');
      return visitor.startsWith('m');
    },
  };
  return { asked, members };
}

async function openRoom(room: object) {
  const { asked, members } = createMembers();
  const test = await createTestApp({}, members);
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0, ...room } });
  const check = async (user: string) => (await test.as(user)('POST', '/api/queue/check/concert')).json();
  const status = async (user: string) => (await test.as(user)('GET', '/api/queue/status/concert')).json();
  const checksMade = async () => {
    const { values } = await test.context.registry.getSingleMetric('fairline_member_checks_total')!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
  };
  return { ...test, asked, check, status, checksMade };
}

describe('a room with a priority lane', () => {
  it('shows members their lane, everyone the share, and each visitor how many go before them', async () => {
    const { check, status, operator, context } = await openRoom({ priorityShare: 50 });
    for (const user of ['a', 'b', 'c']) await check(user);
    expect(await check('m1')).toMatchObject({
      lane: 'priority',
      number: 4,
      position: 2,
      peopleAhead: 1,
      peopleBehind: 2,
      eventInfo: { priorityShare: 50 },
    });
    const ordinary = await status('b');
    expect(ordinary).toMatchObject({ position: 3, eventInfo: { priorityShare: 50 } });
    expect(ordinary).not.toHaveProperty('lane');
    expect((await operator('GET', '/api/admin/rooms/concert')).json()).toMatchObject({
      settings: { priorityShare: 50 },
      waiting: 4,
    });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 2 } });
    await runAdmitterOnce({ ...context.line, metrics: context.lineMetrics });
    expect(await status('a')).toMatchObject({ status: 'active' });
    expect(await status('m1')).toMatchObject({ status: 'active' });
    expect(await status('b')).toMatchObject({ status: 'queued', position: 1, waitChange: 'lanes' });
  });

  it('puts members with a number of tier 1 in the priority lane', async () => {
    const { context } = await openRoom({ priorityShare: 50 });
    const outcome = await context.line.visits.joinWithNumber('concert', 'm1', 9, { priority: true });
    expect(outcome).toMatchObject({ outcome: 'joined', standing: { lane: 'priority', number: 9 } });
  });

  it('shows the lane at the claim door too', async () => {
    const { as } = await openRoom({ priorityShare: 50, admission: 'claim' });
    const joined = (
      await as('m1')('POST', '/api/v1/queue/join', {
        body: { event_id: 'concert' },
        headers: { 'idempotency-key': 'k' },
      })
    ).json();
    const claim = await as('m1')('GET', `/api/v1/queue/status?token=${joined.waiting_token}`);
    expect(claim.json()).toMatchObject({ status: 'waiting', lane: 'priority', position: 1 });
  });

  it('looks up each new user once, and nobody in a room without a priority lane', async () => {
    const { check, status, anyone, operator, asked, checksMade } = await openRoom({ priorityShare: 10 });
    for (const user of ['a', 'm1', 'a', 'm1']) await check(user);
    await status('a');
    await anyone('POST', '/api/queue/check/concert');
    expect(asked).toEqual(['concert a', 'concert m1']);
    expect(await checksMade()).toEqual({ member: 1, other: 1 });
    await operator('PUT', '/api/admin/rooms/concert', { body: { priorityShare: null } });
    await check('b');
    const plain = await check('m2');
    expect(plain).not.toHaveProperty('lane');
    expect(plain.eventInfo).not.toHaveProperty('priorityShare');
    expect(asked).toHaveLength(2);
  });

  it('puts visitors in the ordinary lane when the member lookup fails, and counts it', async () => {
    const { check, checksMade } = await openRoom({ priorityShare: 10 });
    expect(await check('m-unlucky')).not.toHaveProperty('lane');
    expect(await checksMade()).toEqual({ failed: 1 });
  });

  it('ignores a visitor who claims to be a member', async () => {
    const { as } = await openRoom({ priorityShare: 10 });
    const options = { body: { priority: true, lane: 'priority' } };
    const answer = await as('a')('POST', '/api/queue/check/concert?priority=true', options);
    expect(answer.json()).not.toHaveProperty('lane');
  });

  it.each([-1, 101, 12.5, '20'])('refuses a share of %j, naming the field', async (priorityShare) => {
    const { operator } = await openRoom({});
    const answer = await operator('PUT', '/api/admin/rooms/concert', { body: { priorityShare } });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('priorityShare');
  });
});

/** POST /gate/sessions and POST /api/sessions/release, on both stores. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServiceKeys } from '../../../src/signing-keys/service-keys.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { secrets, type TestApp } from '../../support/test-app.ts';
import { openWorld } from './session-world.ts';

const [GATE_KEY] = createServiceKeys(undefined, [secrets.QUEUE_ENTRY_TOKEN_SECRET]);
const SERVICE_KEY = 'service-key-of-the-tests-0123456789abcdef';

function describeRoutes(name: string, createEnv: () => Promise<Record<string, string>>): void {
  async function open(room = {}) {
    const world = await openWorld(room, { SERVICE_KEY, ...(await createEnv()) });
    const post = (url: string, body: unknown, key: string | null = SERVICE_KEY) =>
      world.anyone('POST', url, { body, ...(key === null ? {} : { headers: { authorization: `Bearer ${key}` } }) });
    const report = async (body: object, key?: string | null) => {
      const response = await post('/gate/sessions', { seen: [], ended: [], ...body }, key);
      return response.statusCode === 200 ? response.json().seen : response.statusCode;
    };
    const release = async (body: object, key?: string | null) => {
      const response = await post('/api/sessions/release', body, key);
      return response.statusCode === 200 ? response.json() : [response.statusCode, response.json().error.message];
    };
    return { ...world, report, release };
  }

  const sessionOf = async ({ context }: TestApp, visitor: string) => {
    const found = await context.line.visits.find('concert', visitor);
    if (found.outcome === 'no-room' || !('tokenId' in found.standing)) throw new Error(`${visitor} has no number`);
    return { eventId: 'concert', visitor, tokenId: found.standing.tokenId };
  };
  const stateOf = async ({ context }: TestApp, visitor: string) => {
    const found = await context.line.visits.find('concert', visitor);
    return found.outcome === 'found' ? found.standing.state : found.outcome;
  };

  describe(`sessions of gates on ${name}`, () => {
    it('are renewed by the very token only, by the rules of the room', async () => {
      const world = await open();
      await world.visitor('mina').join();
      const session = await sessionOf(world, 'mina');
      const [answer] = await world.report({ seen: [session] }, GATE_KEY);
      expect(answer).toMatchObject({ sessionMs: 8_000 });
      const entry = world.context.entryTokens.verify(answer.token)!;
      expect(entry).toMatchObject(session);
      expect(Math.floor(Date.parse(answer.expiresAt) / 1000) * 1000).toBe(entry.expiresAt);
      const others = [
        { ...session, tokenId: 'another.1' },
        { ...session, visitor: 'jun' },
        { ...session, eventId: 'other' },
      ];
      expect(await world.report({ seen: others })).toEqual([{ ended: true }, { ended: true }, { ended: true }]);
    });

    it('never begin and never admit', async () => {
      const world = await open({ maxActive: 1 });
      const [mina, jun] = [world.visitor('mina'), world.visitor('jun')];
      await mina.join();
      expect(await jun.join()).toBe('queued');
      const waiting = await sessionOf(world, 'jun');
      expect(await world.report({ seen: [waiting] })).toEqual([{ ended: true }]);
      expect(await stateOf(world, 'jun')).toBe('waiting');
      await world.context.line.visits.leave('concert', 'mina');
      await world.context.line.admissions.tick('concert');
      const [answer] = await world.report({ seen: [waiting] });
      expect(answer).toEqual({ expiresAt: expect.any(String), sessionMs: 8_000 });
      expect(await stateOf(world, 'jun')).toBe('admitted');
    });

    it('end by the very token only, and a waiting visitor keeps the place', async () => {
      const world = await open({ maxActive: 1 });
      await world.visitor('mina').join();
      await world.visitor('jun').join();
      const [mina, jun] = [await sessionOf(world, 'mina'), await sessionOf(world, 'jun')];
      const { tokenId: _, ...junAnyhow } = jun;
      await world.report({ ended: [{ ...mina, tokenId: 'another.1' }, { ...mina, visitor: 'jun' }, jun, junAnyhow] });
      expect([await stateOf(world, 'mina'), await stateOf(world, 'jun')]).toEqual(['active', 'waiting']);
      expect(await world.report({ ended: [mina], seen: [mina] }), 'ended counts more than seen').toEqual([
        { ended: true },
      ]);
      await world.context.line.admissions.tick('concert');
      expect([await stateOf(world, 'mina'), await stateOf(world, 'jun')]).toEqual(['absent', 'admitted']);
    });

    it('are released by the site’s server, once, by visitor or by token', async () => {
      const world = await open();
      const [mina, jun] = [world.visitor('mina'), world.visitor('jun')];
      await mina.join();
      await jun.join();
      expect(await world.release({ eventId: 'concert', visitor: 'mina' })).toEqual({ released: true });
      expect(await world.release({ eventId: 'concert', visitor: 'mina' })).toEqual({ released: false });
      const token = jun.cookies.get('urr-entry-token');
      expect(await world.release({ token })).toEqual({ released: true });
      expect(await world.release({ token })).toEqual({ released: false });
      expect(await jun.visit(world.lineUrl, '/gate/check/shop/concert/seats'), 'at the gate of the instance').toBe(
        '302 /queue/concert',
      );
      await jun.join();
      expect(await world.release({ token }), 'an old token does not end a new session').toEqual({ released: false });
      expect(await stateOf(world, 'jun')).toBe('active');
    });
  });
}

describeRoutes('the embedded store', async () => ({}));
describeWithRedis('with Redis', () => {
  describeRoutes('Redis', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    return { REDIS_URL: redis.url };
  });
});

describe('the endpoints for sessions', () => {
  async function open() {
    const world = await openWorld({}, { SERVICE_KEY });
    const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
      const response = await world.anyone('POST', url, { body, headers });
      return { status: response.statusCode, error: response.json().error };
    };
    return { ...world, post };
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it('refuse a wrong key, no key, and an entry secret', async () => {
    const { post } = await open();
    for (const headers of [{}, bearer('wrong'), bearer(secrets.QUEUE_ENTRY_TOKEN_SECRET), { cookie: 'a=b' }]) {
      expect((await post('/gate/sessions', { seen: [], ended: [] }, headers)).status).toBe(401);
      expect((await post('/api/sessions/release', { eventId: 'concert', visitor: 'mina' }, headers)).status).toBe(401);
    }
  });

  it('say what is wrong with a body', async () => {
    const { post } = await open();
    const headers = bearer(SERVICE_KEY);
    const release = (body: object) => post('/api/sessions/release', body, headers);
    for (const body of [
      {},
      { eventId: 'concert' },
      { visitor: 'mina' },
      { eventId: 'concert', visitor: 'a', token: 'x' },
    ]) {
      const { status, error } = await release(body);
      expect([status, error.message]).toEqual([400, 'Send either eventId and visitor, or token.']);
    }
    expect((await release({ token: 'a.b.c' })).error.message).toContain('token is no valid entry token');
    expect(await release({ eventId: 'other', visitor: 'mina' })).toMatchObject({ status: 404 });
    const session = { eventId: 'concert', visitor: 'mina', tokenId: 'epoch.1' };
    const many = { seen: Array(501).fill(session), ended: [] };
    expect((await post('/gate/sessions', many, headers)).status).toBe(400);
    expect((await post('/gate/sessions', { seen: [{ ...session, eventId: '../x' }], ended: [] }, headers)).status).toBe(
      400,
    );
  });

  it('write an operator’s release to the audit trail, and not a server’s', async () => {
    const { post, operator, visitor } = await open();
    await visitor('mina').join();
    const body = { eventId: 'concert', visitor: 'mina' };
    expect((await post('/api/v1/sessions/release', body, bearer(SERVICE_KEY))).status).toBe(200);
    expect((await post('/api/sessions/release', body, bearer(secrets.ADMIN_TOKEN))).status).toBe(200);
    const entries = (await operator('GET', '/api/admin/audit')).json();
    const ended = entries.filter(({ action }: { action: string }) => action === 'end session');
    expect(ended).toEqual([
      expect.objectContaining({ by: 'admin-token', eventId: 'concert', details: { visitor: 'mina', released: false } }),
    ]);
  });
});

/** Every door says where an admitted visitor goes: the wanted page, else the room's, else that of all rooms. */
import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

const WANTED = '/shop/concert/12?ref=mail&a=%2F';
const HOSTILE = [
  '//evil.example',
  '/\\evil.example',
  '/%5Cevil.example',
  '/.//evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  '/queue/concert',
  '/%71ueue/concert',
  '/vwr/concert',
  '/shop#x',
  `/${'a'.repeat(2_000)}`,
];
const SHOP_PAGE = '/events/concert/seats';

async function openRoom(room: object = {}, env: Record<string, string> = {}) {
  const test = await createTestApp(env);
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1, ...room } });
  return test;
}

const withTo = (url: string, to: string | undefined) =>
  to === undefined ? url : `${url}?to=${encodeURIComponent(to)}`;

/** The targets that all requests of the poll door and the claim door name, for one who is in and one who waits. */
async function targetsOf({ as }: TestApp, prefix: string, to?: string): Promise<unknown[]> {
  const targets: unknown[] = [];
  for (const user of ['a', 'b']) {
    const ask = as(user);
    const asked = [
      await ask('POST', withTo(`${prefix}/queue/check/concert`, to)),
      await ask('GET', withTo(`${prefix}/queue/status/concert`, to)),
      await ask('POST', withTo(`${prefix}/queue/heartbeat/concert`, to)),
    ];
    const body = { event_id: 'concert' };
    const joined = await ask('POST', withTo(`${prefix}/queue/join`, to), { body });
    const token: string = joined.json().waiting_token;
    asked.push(joined);
    asked.push(await ask('GET', withTo(`${prefix}/queue/status`, to), { headers: { 'x-waiting-token': token } }));
    if (user === 'a') {
      asked.push(await ask('POST', withTo(`${prefix}/queue/enter`, to), { body: { waiting_token: token } }));
    }
    targets.push(...asked.map((response) => response.json().target));
  }
  return targets;
}

const ELEVEN = 11;
const all = (target: string | null) => Array.from({ length: ELEVEN }, () => target);

describe.each(['/api', '/api/v1'])('the target under %s', (prefix) => {
  it('is the wanted page', async () => {
    const test = await openRoom({ target: '/room' });
    expect(await targetsOf(test, prefix, WANTED)).toEqual(all(WANTED));
  });

  it('is that of the room without a wanted page', async () => {
    const test = await openRoom({ target: '/tickets/{eventId}?from={eventId}#seats' });
    expect(await targetsOf(test, prefix)).toEqual(all('/tickets/concert?from=concert#seats'));
  });

  it('is that of all rooms, and by default the seats of our own shop', async () => {
    expect(await targetsOf(await openRoom(), prefix)).toEqual(all(SHOP_PAGE));
    const test = await openRoom({}, { QUEUE_TARGET: '/all/{eventId}', SHOP: 'off' });
    expect(await targetsOf(test, prefix)).toEqual(all('/all/concert'));
  });

  it('is null where nobody has named one', async () => {
    expect(await targetsOf(await openRoom({}, { SHOP: 'off' }), prefix)).toEqual(all(null));
  });
});

describe('the target', () => {
  it.each(HOSTILE)('is that of the room if the wanted page is %j', async (to) => {
    const test = await openRoom({ target: '/room' });
    expect(await targetsOf(test, '/api', to)).toEqual(all('/room'));
  });

  it('is that of the room if the wanted page is given twice', async () => {
    const { as } = await openRoom({ target: '/room' });
    const answer = await as('a')('POST', '/api/queue/check/concert?to=/a&to=/b');
    expect(answer.json()).toMatchObject({ status: 'active', target: '/room' });
  });

  it('changes with the settings of the room at once', async () => {
    const { as, operator } = await openRoom();
    const target = async () => (await as('a')('POST', '/api/queue/check/concert')).json().target;
    expect(await target()).toBe(SHOP_PAGE);
    await operator('PUT', '/api/admin/rooms/concert', { body: { target: '/elsewhere' } });
    expect(await target()).toBe('/elsewhere');
    await operator('PUT', '/api/admin/rooms/concert', { body: { target: null } });
    expect(await target()).toBe(SHOP_PAGE);
  });

  it.each(['/queue/{eventId}', '/vwr/concert', '//evil.example', '/\\evil.example', 'https://evil.example', '/a b'])(
    'of a room cannot be %s',
    async (target) => {
      const { operator } = await openRoom();
      const answer = await operator('PUT', '/api/admin/rooms/concert', { body: { target } });
      expect([answer.statusCode, answer.json().error.fields[0].field]).toEqual([400, 'target']);
    },
  );

  it('is kept by visitors who must sign in or take a number of tier 1 first', async () => {
    const { operator, anyone, as, context } = await openRoom({ joinRequires: 'account' });
    const join = withTo('/api/queue/check/concert', WANTED);
    const inQueue = `/queue/concert?to=${encodeURIComponent(WANTED)}`;
    const refused = (await anyone('POST', join)).json();
    expect(refused.redirectTo).toBe(`/sign-in?to=${encodeURIComponent(inQueue)}`);
    await operator('PUT', '/api/admin/rooms/concert', { body: { joinRequires: 'nothing' } });
    await context.tier1.switching.activate('concert');
    const numbered = (await as('a')('POST', join)).json();
    expect(numbered.redirectTo).toBe(`/vwr/concert?to=${encodeURIComponent(WANTED)}`);
    const hostile = (await as('a')('POST', withTo('/api/queue/check/concert', '//evil.example'))).json();
    expect(hostile.redirectTo).toBe('/vwr/concert');
  });
});

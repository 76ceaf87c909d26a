/** What each recipe does with the answers of the gate: cookies and refusals reach the visitor, headers reach the site. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ask } from '../gate/proxy/run-gate.ts';
import { proxyRecipes } from './recipes.ts';
import { startStub } from './stub-server.ts';

const RENEWED = 'urr-entry-token=new; Path=/; Max-Age=600; HttpOnly; SameSite=Lax';
/** As long as the gate allows it to be. */
const LONG = `/queue/concert?to=${encodeURIComponent(`/shop/seats?list=${'a&'.repeat(1_000)}`)}`;

/** Answers a check by the path that it describes, in the form that the asking proxy understands. */
function verify({ headers }: IncomingMessage, response: ServerResponse): unknown {
  const described = String(headers['x-original-uri'] ?? headers['x-forwarded-uri']);
  const isNginx = headers['x-original-uri'] !== undefined;
  const wait = (to: string) => {
    const hints = { 'x-fairline-code': 'ENTRY_TOKEN_REQUIRED', 'x-fairline-redirect': to, 'cache-control': 'no-store' };
    return response.writeHead(isNginx ? 401 : 302, isNginx ? hints : { ...hints, location: to }).end();
  };
  if (described === '/waits') return wait('/queue/concert?to=%2Fwaits%3Fa%3D1%26b%3D%2522');
  if (described === '/waits-long') return wait(LONG);
  if (described === '/api/denied') {
    const redirectTo = '/queue/concert?to=%2Fshop';
    const hints = { 'x-fairline-code': 'ENTRY_TOKEN_REQUIRED', 'x-fairline-redirect': redirectTo };
    response.writeHead(403, { ...hints, 'content-type': 'application/json' });
    return response.end(JSON.stringify({ error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo }));
  }
  const isRenewed = described.startsWith('/renewed');
  const passed = { 'x-fairline-event': isRenewed ? 'concert' : '', 'x-fairline-visitor': isRenewed ? 'g%201' : '' };
  return response
    .writeHead(200, isRenewed ? { ...passed, 'set-cookie': RENEWED, 'x-queue-entry-token': 'a.b.c' } : passed)
    .end();
}

describe.each(proxyRecipes.filter(({ isHere }) => isHere))('$name', ({ name, start }) => {
  it('passes cookies and refusals of the gate on to the visitor, and event and visitor to the site', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const site = await startStub((request, response) => {
      seen.push(request.headers);
      const status = request.url!.endsWith('/missing') ? 404 : 200;
      response.writeHead(status, { 'set-cookie': 'basket=7', 'x-fairline-release': '1' }).end('the shop');
    });
    const url = await start({ fairline: await startStub(verify), site });
    seen.length = 0;

    for (const [path, status] of [
      ['/renewed', 200],
      ['/renewed/missing', 404],
    ] as const) {
      const renewed = await ask(url, path);
      expect([renewed.status, renewed.headers['set-cookie']?.toSorted()]).toEqual([status, ['basket=7', RENEWED]]);
      expect(renewed.headers).not.toHaveProperty('x-fairline-release');
      // Traefik passes on cookies only.
      if (name !== 'Traefik') expect(renewed.headers['x-queue-entry-token']).toBe('a.b.c');
    }
    expect(seen.map((headers) => [headers['x-fairline-event'], headers['x-fairline-visitor']])).toEqual([
      ['concert', 'g%201'],
      ['concert', 'g%201'],
    ]);
    const plain = await ask(url, '/plain', { headers: { 'x-fairline-cookie': 'a=b', 'x-fairline-event': 'concert' } });
    expect([plain.text, plain.headers['set-cookie']]).toEqual(['the shop', ['basket=7']]);
    expect(plain.headers).not.toHaveProperty('x-queue-entry-token');
    expect(seen[2]!['x-fairline-event'] ?? '').toBe('');

    seen.length = 0;
    const waits = await ask(url, '/waits', { method: 'POST', body: 'name=Mina' });
    expect(waits).toMatchObject({
      status: 302,
      headers: { location: '/queue/concert?to=%2Fwaits%3Fa%3D1%26b%3D%2522', 'cache-control': 'no-store' },
    });
    expect((await ask(url, '/waits-long')).headers.location).toBe(LONG);
    const denied = await ask(url, '/api/denied');
    expect(denied).toMatchObject({
      status: 403,
      json: { error: { code: 'ENTRY_TOKEN_REQUIRED' }, redirectTo: '/queue/concert?to=%2Fshop' },
    });
    expect(seen).toEqual([]);
  });
});

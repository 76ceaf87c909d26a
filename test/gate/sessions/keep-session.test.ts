import { expect, it } from 'vitest';
import type { Pass } from '../../../src/gate/decision/decision.ts';
import { keepSession } from '../../../src/gate/sessions/keep-session.ts';

const entry = { eventId: 'concert', visitor: 'ann', tokenId: 'epoch.1', expiresAt: 60_000 };
const pass: Pass = {
  ...{ outcome: 'pass', target: '/seats', require: 'entry', strict: undefined, setCookies: [] },
  ...{ eventId: 'concert', visitor: 'ann', session: { entry, answer: 'page', renews: true } },
};
const request = { method: 'GET', target: '/seats', headers: {}, isSecure: () => true };

it.each([
  [undefined, 'urr-entry-token=new.token; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure'],
  [false, 'urr-entry-token=new.token; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure'],
  [true, 'urr-entry-token=new.token; Path=/; Max-Age=600; SameSite=Lax; Secure'],
])('sets the cookie of a renewed token as the line does (readable: %s)', async (readableCookie, cookie) => {
  const keeper = {
    hasEnded: () => false,
    see: () => ({ outcome: 'renewed', token: 'new.token', expiresAt: 600_000 }) as const,
    ...(readableCookie === undefined ? {} : { readableCookie }),
  };
  const kept = await keepSession(pass, request, { keeper, now: () => 0 });
  expect(kept).toMatchObject({ outcome: 'pass', setCookies: [cookie] });
});

import { createHmac } from 'node:crypto';
import type { Contract } from '../contract.ts';
import { filledText, is, jwt } from '../shapes.ts';

const secret = Buffer.from('0123456789abcdef'.repeat(4));

/** As the JWT library of URR's auth-service does: a secret of 64 bytes makes it HS512. */
function sign(type: 'access' | 'refresh', user: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const payload = { sub: user, userId: user, email: `${user}@example.org`, role: 'user', type, iat, exp: iat + 3_600 };
  const [head, body] = [{ alg: 'HS512' }, payload].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createHmac('sha512', secret).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

const join = { method: 'POST', path: '/api/v1/queue/check/concert' } as const;
const ann = '5b2f3c1e-0d7a-4c1b-9c55-3f1f6f1d2a10';

/** URR's auth-service signs users in. The line accepts its access tokens, in the header or in its cookie. */
export const contract: Contract = {
  name: 'urr: login with tokens of the auth-service',
  env: {
    AUTH_JWT_SECRET: `base64:${secret.toString('base64')}`,
    AUTH_ALGORITHMS: 'HS512',
    AUTH_REQUIRED_CLAIMS: 'type=access',
    AUTH_COOKIE: 'access_token',
    GUESTS: 'off',
  },
  room: { maxActive: 1 },
  exchanges: [
    {
      name: 'joins with the access token of a user',
      request: { ...join, headers: { authorization: `Bearer ${sign('access', ann)}` } },
      answer: { status: 200, body: { status: is('active'), entryToken: jwt } },
      next: 'opens the seat map',
    },
    {
      name: 'joins with the cookie access_token',
      request: { ...join, headers: { cookie: `access_token=${sign('access', 'bob')}` } },
      answer: { status: 200, body: { status: is('queued'), position: is(1) } },
      next: 'polls',
    },
    {
      name: 'is refused with a refresh token',
      request: { ...join, headers: { authorization: `Bearer ${sign('refresh', ann)}` } },
      answer: { status: 401, body: { error: { code: is('INVALID_TOKEN') }, message: filledText } },
      next: 'renews the access token at the auth-service and repeats the request',
    },
    {
      name: 'is refused without a token',
      request: join,
      answer: { status: 401, body: { error: { code: is('UNAUTHENTICATED') }, message: filledText } },
      next: 'opens the login page',
    },
  ],
};

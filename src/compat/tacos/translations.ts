/**
 * The queue endpoints of Traffic Tacos' gateway are public: it does not read the Authorization header there, and its
 * clients send any text in it (`guest-1718…`, `dev-jwt-…`, the key of a load test). Here such a caller is a guest, where
 * guests are allowed. Nothing else is translated: the claim door has the paths and fields of that gateway.
 */
import type { Headers, Translation } from '../../http/translation.ts';

export const translations: readonly Translation[] = [
  asGuest('POST', '/api/queue/join'),
  asGuest('GET', '/api/queue/status'),
  asGuest('POST', '/api/queue/enter'),
  asGuest('DELETE', '/api/queue/leave'),
];

function asGuest(method: Translation['method'], path: string): Translation {
  return {
    method,
    path,
    answer: ({ query, headers, body }, ask) => {
      const target = query.size === 0 ? path : `${path}?${query}`;
      return ask(method, target, { body, without: isIdentity(headers) ? [] : ['authorization'] });
    },
  };
}

/** A text in the form of a JWT is a claim to be somebody. It is passed on, and refused unless it is genuine. */
const JWT_BEARER = /^Bearer +[\w-]+\.[\w-]+\.[\w-]+ *$/i;

function isIdentity({ authorization }: Headers): boolean {
  return typeof authorization === 'string' && JWT_BEARER.test(authorization);
}

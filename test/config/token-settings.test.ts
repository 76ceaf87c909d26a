import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';

const ROOT = 'one secret for everything, long enough to be one';
const ENTRY = 'an entry secret, long enough to be one, 0123456789';
const shared = { REDIS_URL: 'redis://a', ADMIN_TOKEN: 'operator-token-of-the-tests', SHOP: 'off' };

describe('the algorithm of tokens', () => {
  it('is HS256 where a secret of tokens is set, and EdDSA where none is', () => {
    const algorithm = (env: Record<string, string>) => readConfig(env).tokens.algorithm;
    expect(algorithm({})).toBe('EdDSA');
    expect(algorithm({ QUEUE_ENTRY_TOKEN_SECRET: ENTRY })).toBe('HS256');
    expect(algorithm({ VWR_TOKEN_SECRET: ENTRY })).toBe('HS256');
    expect(algorithm({ QUEUE_ENTRY_TOKEN_SECRET: ENTRY, TOKEN_ALGORITHM: 'ES256' })).toBe('ES256');
    expect(algorithm({ FAIRLINE_SECRET: ROOT })).toBe('EdDSA');
    expect(() => readConfig({ TOKEN_ALGORITHM: 'none' })).toThrow('TOKEN_ALGORITHM=none: expected EdDSA, ES256, HS256');
  });

  it('decides about iss and aud, which HS256 has only if they are set', () => {
    const written = (env: Record<string, string>) => readConfig(env).tokens.names.written;
    expect(written({})).toEqual({ iss: 'fairline', aud: 'fairline' });
    expect(written({ TOKEN_ALGORITHM: 'HS256' })).toEqual({});
    expect(written({ TOKEN_ALGORITHM: 'HS256', TOKEN_ISSUER: 'us' })).toEqual({ iss: 'us' });
  });

  it('needs a key file with Redis, unless it is HS256', () => {
    expect(() => readConfig({ ...shared, FAIRLINE_SECRET: ROOT })).toThrow(
      /^TOKEN_KEYS_FILE is not set: required with Redis, .* fairline keys create --file FILE$/,
    );
    expect(readConfig({ ...shared, FAIRLINE_SECRET: ROOT, TOKEN_KEYS_FILE: '/keys' }).tokens.keysFile).toBe('/keys');
    expect(readConfig({ ...shared, FAIRLINE_SECRET: ROOT, QUEUE_ENTRY_TOKEN_SECRET: ENTRY }).tokens.algorithm).toBe(
      'HS256',
    );
  });
});

describe('FAIRLINE_SECRET', () => {
  it('stands for every secret that is not set itself; all of them differ', () => {
    const { secrets } = readConfig({ FAIRLINE_SECRET: ROOT, GUEST_SECRET: ENTRY });
    const { entryToken, vwrToken, auth, guest, webhook, ticket } = secrets;
    expect(guest).toBe(ENTRY);
    const derived = [entryToken, vwrToken, auth, webhook, ticket];
    expect(new Set([...derived, ROOT, guest]).size).toBe(7);
    expect(derived.every((secret) => secret !== undefined && secret.length >= 32)).toBe(true);
    expect([secrets.adminToken, secrets.serviceKey]).toEqual([undefined, undefined]);
    expect(readConfig({ FAIRLINE_SECRET: ROOT }).secrets.ticket).toBe(ticket);
  });
});

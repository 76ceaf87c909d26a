import { describe, expect, it } from 'vitest';
import { readConfig, settings } from '../../src/config/read-config.ts';
import { roleNames } from '../../src/config/role-names.ts';
import { secrets } from '../support/test-app.ts';

describe('the configuration', () => {
  it('has the documented defaults of the line', () => {
    const { line, roles } = readConfig({});
    expect(line).toMatchObject({
      admissionIntervalMs: 1_000,
      sweepIntervalMs: 30_000,
      roomDefaults: { maxActive: 1_000, batchSize: 100, activeTtlMs: 600_000, seenTtlMs: 600_000, claimTtlMs: 60_000 },
    });
    expect(roles).toEqual(roleNames);
  });

  it('reports every invalid setting at once, with its value and what is expected', () => {
    const env = { QUEUE_THRESHOLD: 'many', PORT: '70000', GUESTS: 'maybe', FAIRLINE_ROLES: 'line,broker' };
    expect(() => readConfig(env)).toThrow(
      'PORT=70000: expected a whole number from 0 to 65535\n' +
        'FAIRLINE_ROLES=line,broker: expected all, or some of line, admitter, sweeper, advancer, dispatcher, reaper, shop, keeper, relay, chain, stats, separated by commas\n' +
        'QUEUE_THRESHOLD=many: expected a whole number from 0 to 10000000\n' +
        'GUESTS=maybe: expected on, off, true or false',
    );
  });

  it('does not print a secret that is too short', () => {
    expect(() => readConfig({ ADMIN_TOKEN: 'hunter2' })).toThrow(
      'ADMIN_TOKEN=(not shown): expected at least 16 characters',
    );
  });

  it('refuses a maximum session length below the session length', () => {
    const env = { QUEUE_ACTIVE_TTL_SECONDS: '600', QUEUE_ACTIVE_MAX_TTL_SECONDS: '60' };
    expect(() => readConfig(env)).toThrow(/QUEUE_ACTIVE_MAX_TTL_SECONDS=60: must be at least .*600/);
  });

  it('reads whose users are accepted, and refuses an issuer without a check that its tokens are for us', () => {
    const issuer = { AUTH_ISSUER: 'https://id.example' };
    expect(readConfig({}).users).toEqual({ rules: undefined, provider: undefined });
    expect(() => readConfig(issuer)).toThrow('AUTH_ISSUER: requires AUTH_AUDIENCE');
    expect(() => readConfig({ AUTH_JWKS: '/etc/keys.json' })).toThrow('AUTH_JWKS: requires AUTH_AUDIENCE');
    const required = { AUTH_REQUIRED_CLAIMS: 'type=access,scope=a=b' };
    expect(readConfig({ ...issuer, ...required }).users).toMatchObject({
      provider: { issuer: 'https://id.example', jwks: undefined },
      rules: {
        requiredClaims: [
          { name: 'type', value: 'access' },
          { name: 'scope', value: 'a=b' },
        ],
      },
    });
    // Only the name is checked: nobody asks it for keys.
    const shared = { ...issuer, AUTH_ALGORITHMS: 'HS512' };
    expect(readConfig(shared).users).toMatchObject({ provider: undefined, rules: { issuer: 'https://id.example' } });
    expect(() => readConfig({ AUTH_ALGORITHMS: 'none' })).toThrow('AUTH_ALGORITHMS=none: expected some of EdDSA');
    expect(() => readConfig({ AUTH_REQUIRED_CLAIMS: 'type' })).toThrow('expected claims with values');
  });

  it('treats an empty value as not set', () => {
    expect(readConfig({ QUEUE_THRESHOLD: '' }).line.roomDefaults.maxActive).toBe(settings.QUEUE_THRESHOLD.default);
  });

  it('accepts a Redis server or a cluster, and with either a subset of the roles', () => {
    const env = { ...secrets, FAIRLINE_ROLES: 'line, reaper' };
    const one = readConfig({ ...env, REDIS_URL: 'rediss://user:password@redis.example:6380/1' });
    expect(one.redis).toEqual({
      address: { url: 'rediss://user:password@redis.example:6380/1' },
      waitReplicas: 0,
    });
    expect(one.roles).toEqual(['line', 'reaper']);
    const many = readConfig({ ...env, REDIS_CLUSTER: 'a:7000,b:7001', REDIS_WAIT_REPLICAS: '1' });
    expect(many.redis).toEqual({ address: { cluster: 'a:7000,b:7001' }, waitReplicas: 1 });
    expect(() => readConfig({ ...env, REDIS_URL: 'redis://a', REDIS_CLUSTER: 'a:7000' })).toThrow(
      'REDIS_URL and REDIS_CLUSTER are both set: set only one',
    );
  });

  it('does not print REDIS_URL, which may contain a password', () => {
    expect(() => readConfig({ REDIS_URL: 'http://:hunter2@redis' })).toThrow(
      /^REDIS_URL=\(not shown\): expected redis:\/\/\[user:password@\]host:port/,
    );
  });

  it('requires every shared secret when Redis is configured', () => {
    for (const name of Object.keys(secrets)) {
      const env = { ...secrets, REDIS_URL: 'redis://a', DATABASE_URL: 'postgres://a', [name]: '' };
      expect(() => readConfig(env)).toThrow(
        new RegExp(`^${name} is not set: required with Redis, .* share the same secret$`),
      );
    }
  });

  it('sells from the embedded database or PostgreSQL, and with Redis only from PostgreSQL', () => {
    expect(readConfig({ DATA_DIR: 'x' }).shop?.database).toEqual({ dir: 'x/database' });
    const url = 'postgres://a/b';
    expect(readConfig({ DATABASE_URL: url }).shop?.database).toEqual({ url, connections: 10 });
    expect(readConfig({ ...secrets, REDIS_URL: 'redis://a' }).shop).toBeUndefined();
    expect(readConfig({ SHOP: 'off', DATABASE_URL: url }).shop).toBeUndefined();
    expect(() => readConfig({ ...secrets, REDIS_URL: 'redis://a', SHOP: 'on' })).toThrow(
      /^SHOP=on: requires DATABASE_URL/,
    );
  });

  it('refuses a subset of the roles with embedded stores', () => {
    expect(() => readConfig({ FAIRLINE_ROLES: 'line,admitter' })).toThrow(
      /^FAIRLINE_ROLES=line,admitter: expected all; .* set REDIS_URL .* serve one process$/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { readConfig, roleNames, settings } from '../../src/config/read-config.ts';
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

  it('names every setting that is wrong, its value and what is allowed, at once', () => {
    const env = { QUEUE_THRESHOLD: 'many', PORT: '70000', GUESTS: 'maybe', FAIRLINE_ROLES: 'line,broker' };
    expect(() => readConfig(env)).toThrow(
      'PORT=70000: allowed is a whole number from 0 to 65535\n' +
        'FAIRLINE_ROLES=line,broker: allowed is all, or some of line, admitter, sweeper, advancer, dispatcher, reaper, shop, keeper, relay, chain, stats, separated by commas\n' +
        'QUEUE_THRESHOLD=many: allowed is a whole number from 0 to 10000000\n' +
        'GUESTS=maybe: allowed is on, off, true or false',
    );
  });

  it('does not show a secret that is too short', () => {
    expect(() => readConfig({ ADMIN_TOKEN: 'hunter2' })).toThrow(
      'ADMIN_TOKEN=(not shown): allowed is at least 16 characters',
    );
  });

  it('refuses a session cap below the session', () => {
    const env = { QUEUE_ACTIVE_TTL_SECONDS: '600', QUEUE_ACTIVE_MAX_TTL_SECONDS: '60' };
    expect(() => readConfig(env)).toThrow(/QUEUE_ACTIVE_MAX_TTL_SECONDS=60: allowed is .*600/);
  });

  it('takes an empty value for not set', () => {
    expect(readConfig({ QUEUE_THRESHOLD: '' }).line.roomDefaults.maxActive).toBe(settings.QUEUE_THRESHOLD.default);
  });

  it('takes a Redis server or a cluster, and some of the roles with it', () => {
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
      'REDIS_URL and REDIS_CLUSTER are both set: allowed is one of them',
    );
  });

  it('does not show the address of Redis, which may hold a password', () => {
    expect(() => readConfig({ REDIS_URL: 'http://:hunter2@redis' })).toThrow(
      /^REDIS_URL=\(not shown\): allowed is redis:\/\/host:port/,
    );
  });

  it('wants every secret that processes must agree on, where they share the lines', () => {
    for (const name of Object.keys(secrets)) {
      const env = { ...secrets, REDIS_URL: 'redis://a', DATABASE_URL: 'postgres://a', [name]: '' };
      expect(() => readConfig(env)).toThrow(new RegExp(`^${name} is not set: with Redis .* the others would refuse$`));
    }
  });

  it('sells by itself, or in PostgreSQL; with Redis only there', () => {
    expect(readConfig({ DATA_DIR: 'x' }).shop?.database).toEqual({ dir: 'x/database' });
    const url = 'postgres://a/b';
    expect(readConfig({ DATABASE_URL: url }).shop?.database).toEqual({ url, connections: 10 });
    expect(readConfig({ ...secrets, REDIS_URL: 'redis://a' }).shop).toBeUndefined();
    expect(readConfig({ SHOP: 'off', DATABASE_URL: url }).shop).toBeUndefined();
    expect(() => readConfig({ ...secrets, REDIS_URL: 'redis://a', SHOP: 'on' })).toThrow(
      /^SHOP=on: with Redis it needs/,
    );
  });

  it('wants all roles in the one process that has the embedded stores', () => {
    expect(() => readConfig({ FAIRLINE_ROLES: 'line,admitter' })).toThrow(
      /^FAIRLINE_ROLES=line,admitter: allowed is all, because without REDIS_URL .* belongs to one process$/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { readConfig, settings } from '../src/config.ts';

describe('the configuration', () => {
  it('has the documented defaults of the line', () => {
    const { line, roles } = readConfig({});
    expect(line).toMatchObject({
      admissionIntervalMs: 1_000,
      sweepIntervalMs: 30_000,
      roomDefaults: { maxActive: 1_000, batchSize: 100, activeTtlMs: 600_000, seenTtlMs: 600_000, claimTtlMs: 60_000 },
    });
    expect(roles).toEqual(['line', 'admitter', 'sweeper']);
  });

  it('names every setting that is wrong, its value and what is allowed, at once', () => {
    const env = { QUEUE_THRESHOLD: 'many', PORT: '70000', GUESTS: 'maybe', FAIRLINE_ROLES: 'line,broker' };
    expect(() => readConfig(env)).toThrow(
      'PORT=70000: allowed is a whole number from 0 to 65535\n' +
        'FAIRLINE_ROLES=line,broker: allowed is all, or some of line, admitter, sweeper, separated by commas\n' +
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
});

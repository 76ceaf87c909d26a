/** Variables that look like a misspelt setting are noticed; those of other programs are not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMisspeltSettings, settings } from '../../src/config/read-config.ts';
import { synonyms } from '../../src/config/synonyms.ts';
import { distanceOf } from '../../src/platform/settings/misspelt.ts';

describe('a misspelt setting', () => {
  it.each([
    ['QUEUE_MAX_ACTIVE', 'QUEUE_THRESHOLD'],
    ['QUEUE_TRESHOLD', 'QUEUE_THRESHOLD'],
    ['QUEUE_THRESHODL', 'QUEUE_THRESHOLD'],
    ['queue_threshold', 'QUEUE_THRESHOLD'],
    ['QUEUE_TOKEN_ENTRY_SECRET', 'QUEUE_ENTRY_TOKEN_SECRET'],
    ['ADMIN_TOKEN_FLIE', 'ADMIN_TOKEN_FILE'],
    ['FAIRLINE_PORT', 'PORT'],
    ['FAIRLINE_DATA_DIR', 'DATA_DIR'],
    ['KAFKA_BOOTSTRAP_SERVERS', 'KAFKA_BROKERS'],
    ['DATABSE_URL', 'DATABASE_URL'],
  ])('%s is named with the setting that was meant: %s', (name, meant) => {
    expect(findMisspeltSettings({ [name]: '1' })).toEqual([`${name} is no setting; did you mean ${meant}?`]);
  });

  it('is not named if the right one is set too', () => {
    expect(findMisspeltSettings({ REDIS_URI: 'redis://a', REDIS_URL: 'redis://a' })).toEqual([]);
  });

  it('is found for every name with two neighbouring letters swapped', () => {
    const long = Object.keys(settings).filter((name) => name.length >= 8);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
        const i = at % (name.length - 1);
        const swapped = name.slice(0, i) + name[i + 1] + name[i] + name.slice(i + 2);
        fc.pre(swapped !== name && !(swapped in settings));
        expect(findMisspeltSettings({ [swapped]: 'x' })).toHaveLength(1);
      }),
    );
  });

  it('is no synonym of ours that is a setting', () => {
    for (const [name, meant] of Object.entries(synonyms)) {
      expect(name in settings, name).toBe(false);
      expect(meant in settings, meant).toBe(true);
    }
  });
});

describe('no misspelt setting', () => {
  it.each([
    'QUEUE_CONNECTION',
    'QUEUE_URL',
    'QUEUE_DRIVER',
    'REDIS_HOST',
    'REDIS_PORT',
    'KAFKA_HEAP_OPTS',
    'KAFKA_OPTS',
    'DATABASE_NAME',
    'DATABASE_HOST',
    'AUTH_TOKEN',
    'HOSTNAME',
    'POST',
    'PORTS',
    'HOME',
    'PATH',
    'NODE_ENV',
    'NODE_OPTIONS',
    'AWS_REGION',
    'OTEL_SERVICE_NAME',
    'PGSSLMODE',
    'MAIL_HOST',
    'VWR_UNKNOWN',
  ])('is %s', (name) => {
    expect(findMisspeltSettings({ [name]: 'x' })).toEqual([]);
  });

  it('is any setting of ours, or its file', () => {
    const env = Object.fromEntries(Object.keys(settings).map((name) => [name, 'x']));
    expect(findMisspeltSettings({ ...env, REDIS_PASSWORD_FILE: '/x' })).toEqual([]);
  });

  it('is what Kubernetes sets for services', () => {
    expect(
      findMisspeltSettings({
        FAIRLINE_PORT: 'tcp://10.0.0.1:80',
        FAIRLINE_SERVICE_HOST: '10.0.0.1',
        FAIRLINE_SERVICE_PORT: '80',
        FAIRLINE_SERVICE_PORT_HTTP: '80',
        FAIRLINE_PORT_80_TCP: 'tcp://10.0.0.1:80',
        FAIRLINE_PORT_80_TCP_ADDR: '10.0.0.1',
        METRICS_PORTS: 'tcp://10.0.0.1:9464',
      }),
    ).toEqual([]);
  });
});

it('measures the distance of two names as insertions, removals, replacements and swaps', () => {
  expect(distanceOf('abc', 'abc', 2)).toBe(0);
  expect(distanceOf('abcd', 'abdc', 2)).toBe(1);
  expect(distanceOf('abc', 'xbcd', 2)).toBe(2);
  expect(distanceOf('abc', 'xyz', 2)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(distanceOf(a, b, 8)).toBe(distanceOf(b, a, 8));
      expect(distanceOf(a, b, 8) === 0).toBe(a === b);
    }),
  );
});

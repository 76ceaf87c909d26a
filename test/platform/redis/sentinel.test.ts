/** A master that sentinels watch, with TLS and passwords: failovers, and what is said about wrong settings. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { RedisAddress } from '../../../src/platform/redis/redis-address.ts';
import { openRedisStore } from '../../line/redis/open-redis-store.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { describeWithRedis } from '../../support/redis-server.ts';
import { PASSWORD, type SentinelGroup, startSentinels } from '../../support/secure-redis.ts';
import { until } from '../../support/until.ts';
import { begin } from './begin.ts';

describeWithRedis('a Redis master with sentinels', () => {
  let certificates: Certificates;
  let group: SentinelGroup;
  const complaints = vi.spyOn(console, 'error');
  beforeAll(async () => {
    certificates = makeCertificates();
    group = await startSentinels(certificates);
  });
  afterAll(async () => {
    await group?.stop();
    expect(complaints).not.toHaveBeenCalled();
    complaints.mockRestore();
    rmSync(certificates.folder, { recursive: true });
  });

  type Sentinels = Extract<RedisAddress, { sentinels: string }>;

  const address = (change: Partial<Sentinels> = {}): RedisAddress => ({
    sentinels: group.addresses,
    name: group.name,
    sentinelPassword: group.password,
    password: PASSWORD,
    tls: { stem: 'REDIS_TLS', caFile: certificates.ca },
    ...change,
  });

  it('is used', () => begin(address()));

  const wrong: [string, () => Partial<Sentinels>, RegExp][] = [
    ['another name', () => ({ name: 'unknown' }), /set REDIS_SENTINEL_NAME to the name in `sentinel monitor`/],
    [
      'a wrong password of the sentinels',
      () => ({ sentinelPassword: 'wrong' }),
      /WRONGPASS.*; check REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD/,
    ],
    [
      'a wrong password of the master',
      () => ({ password: 'wrong' }),
      /WRONGPASS.*; check REDIS_USERNAME and REDIS_PASS/,
    ],
    [
      'a CA that did not sign the certificates',
      () => ({ tls: { stem: 'REDIS_TLS', caFile: certificates.otherCa } }),
      /signed by no CA that is trusted here: set REDIS_TLS_CA_FILE/,
    ],
    [
      'sentinels without TLS',
      () => ({ sentinels: group.addresses.replace('localhost', 'redis://localhost') }),
      /it expects TLS: use rediss:\/\//,
    ],
  ];

  it.each(wrong)('is refused with %s: the error says what to do', async (_, change, message) => {
    await expect(begin(address(change()))).rejects.toThrow(message);
  });

  it('is waited for while no sentinel is there', async () => {
    await expect(begin(address({ sentinels: 'localhost:1' }))).rejects.toThrow(/^waiting: .*sentinel localhost:1\b/);
  });

  it('keeps confirmed places when it dies, and goes on at its successor; also when that one hangs', async () => {
    const store = await openRedisStore(address(), { waitReplicas: 1 });
    const join = (visitor: string) => store.join('concert', visitor);
    const joined = { outcome: 'joined', standing: { state: 'waiting' } };
    await store.putRoom('concert', { maxActive: 0 });
    for (const visitor of ['a', 'b', 'c']) expect(await join(visitor)).toMatchObject(joined);

    const first = (await group.findMaster())!;
    await first.server.kill();
    await until('the first failover', () => store.findRoom('concert').catch(() => false as const));
    for (const [index, visitor] of ['a', 'b', 'c'].entries()) {
      expect(await store.look('concert', visitor)).toMatchObject({ standing: { number: index + 1 } });
    }
    const second = (await group.findMaster())!;
    expect(second).not.toBe(first);

    // The sentinel makes it a replica, so that places can be confirmed again. That takes it ten seconds.
    await first.startAgain();
    await until('a confirmed place', () =>
      join('d').then(
        () => true,
        () => false,
      ),
    );
    second.server.pause();
    await until('the second failover', async () => (await group.findMaster()) === first);
    await until('the line', () => store.look('concert', 'd').catch(() => false as const));
    expect(await store.look('concert', 'd')).toMatchObject({ standing: { number: 4 } });
    second.server.resume();
    expect(await store.look('concert', 'a')).toMatchObject({ standing: { number: 1 } });
    await until('no fault', () => store.fault() === undefined);
  }, 180_000);
});

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { surveyKafka } from '../../src/compose/open-records.ts';
import type { Check } from '../../src/doctor/check.ts';
import { checkClock } from '../../src/doctor/check-clock.ts';
import { checkDatabase } from '../../src/doctor/check-database.ts';
import { checkKafka } from '../../src/doctor/check-kafka.ts';
import { checkRedis } from '../../src/doctor/check-redis.ts';
import { bitsOf, checkSecrets } from '../../src/doctor/check-secrets.ts';
import { checkSettings } from '../../src/doctor/check-settings.ts';
import { createLazyDatabase } from '../../src/platform/database/lazy-database.ts';
import { createMissingTopics } from '../../src/records/kafka/kafka-topics.ts';
import { topics } from '../../src/records/topics.ts';
import { unique } from '../shop/shop-fixture.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';
import { describeWithPostgres, startPostgres } from '../support/postgres-server.ts';
import { describeWithRedis, startRedis, startRedisCluster } from '../support/redis-server.ts';
import { runProgram } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const STRONG = 'q7Zk1vXo9TtE3bWm5YhN8sRcA2uPdL6jGf0iKx4VyQ';
const statesOf = (checks: readonly Check[]) => Object.fromEntries(checks.map(({ what, state }) => [what, state]));

describe('the doctor on secrets', () => {
  it('passes a random one, warns of common words, and reports one that is easy to guess', () => {
    const checks = checkSecrets({
      A: STRONG,
      B: 'entry-secret-of-somebody-0123456789',
      C: 'abababababababababababababababababab',
      D: undefined,
    });
    expect(statesOf(checks)).toEqual({ A: 'ok', B: 'warning', C: 'problem' });
    expect(JSON.stringify(checks)).not.toContain(STRONG);
  });

  it('reports one secret used for two purposes', () => {
    const checks = checkSecrets({ A: STRONG, B: STRONG });
    expect(checks.at(-1)).toMatchObject({ what: 'B', state: 'problem', found: 'the same as A' });
  });

  it('estimates entropy from character frequencies', () => {
    expect(bitsOf('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')).toBe(0);
    expect(bitsOf('abcdefghijklmnopqrstuvwxyz012345')).toBe(160);
  });
});

describe('the doctor on clocks', () => {
  it.each([
    [100, 'ok'],
    [-700, 'warning'],
    [6_000, 'problem'],
  ] as const)('rates a difference of %i ms as %s', async (difference, state) => {
    expect(
      await checkClock(
        'clock',
        async () => 1_000 + difference,
        () => 1_000,
      ),
    ).toMatchObject({ state });
  });
});

describe('the doctor on settings', () => {
  it('warns of valid settings that are usually a mistake', () => {
    const usual = {
      host: '127.0.0.1',
      trustProxy: [],
      cookieSecure: 'auto' as const,
      journalSync: true,
      hasRedis: false,
      previousSecrets: [],
    };
    expect(statesOf(checkSettings(usual))).toEqual({ settings: 'ok' });
    const doubtful = { ...usual, host: '0.0.0.0', journalSync: false, previousSecrets: ['AUTH_JWT_SECRET_PREVIOUS'] };
    expect(Object.keys(statesOf(checkSettings(doubtful)))).toEqual([
      'TRUST_PROXY',
      'JOURNAL_SYNC',
      'AUTH_JWT_SECRET_PREVIOUS',
    ]);
  });
});

describe('fairline doctor', () => {
  it('finds no problems with an embedded instance and exits with 0', async () => {
    const { code, output } = await runProgram(['doctor'], { DATA_DIR: tempFolder() });
    expect([code, output]).toEqual([0, expect.stringMatching(/ok {6}.*settings: valid[\s\S]*lines: embedded/)]);
  });

  it('reports a secrets file that other users can read, also as JSON', async () => {
    const dir = tempFolder();
    writeFileSync(join(dir, 'secrets.json'), '{}');
    chmodSync(join(dir, 'secrets.json'), 0o644);
    const { code, output } = await runProgram(['doctor', '--json'], { DATA_DIR: dir });
    const found = JSON.parse(output);
    expect([code, found.problems]).toEqual([1, 1]);
    expect(found.checks).toContainEqual(
      expect.objectContaining({ state: 'problem', advice: expect.stringContaining('chmod 600') }),
    );
  });

  it('reports every invalid setting', async () => {
    const { code, output } = await runProgram(['doctor'], { QUEUE_THRESHOLD: 'lots', PORT: 'x' });
    expect(code).toBe(1);
    expect(output).toMatch(/PROBLEM {2}settings: PORT=x: expected[\s\S]*PROBLEM {2}settings: QUEUE_THRESHOLD=lots/);
  });

  it('reports an unreachable Redis without a stack trace', async () => {
    const [only] = await checkRedis({ url: 'redis://127.0.0.1:1' }, 0);
    expect(only).toMatchObject({ what: 'Redis', state: 'problem', found: expect.stringContaining('ECONNREFUSED') });
  });
});

describeWithRedis('the doctor on Redis', () => {
  const examine = async (...settings: string[]) => {
    const redis = await startRedis(...settings);
    onTestFinished(() => redis.stop());
    const checks = await checkRedis({ url: redis.url }, 1);
    const where = `Redis 127.0.0.1:${redis.port} `;
    return Object.fromEntries(checks.map(({ what, state }) => [what.replace(where, ''), state]));
  };

  it('warns of a server without persistence, and reports eviction and missing replicas as problems', async () => {
    expect(await examine()).toMatchObject({
      version: 'ok',
      'maxmemory-policy': 'ok',
      appendonly: 'warning',
      replicas: 'problem',
      clock: 'ok',
    });
    expect(
      await examine('--maxmemory-policy', 'allkeys-lru', '--appendonly', 'yes', '--maxmemory', '100mb'),
    ).toMatchObject({
      'maxmemory-policy': 'problem',
      appendonly: 'ok',
      memory: 'ok',
    });
  });

  it('checks every master of a cluster', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.stop());
    const checks = await checkRedis({ cluster: cluster.addresses }, 0);
    expect(checks[0]).toMatchObject({ what: 'Redis Cluster', state: 'ok', found: 'ok, 3 masters' });
    expect(checks.filter(({ what }) => what.endsWith('version'))).toHaveLength(3);
  });
});

describeWithPostgres('the doctor on PostgreSQL', () => {
  it('reports migrations that are pending, applied, and of a newer version', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const address = { url: await server.createDatabase(), connections: 5 };
    const migrationsOf = async (names: string[]) =>
      (await checkDatabase(address, names)).find(({ what }) => what === 'PostgreSQL migrations');
    expect(await migrationsOf(['001-first'])).toMatchObject({ state: 'warning', found: '1 pending: 001-first' });
    const database = createLazyDatabase(address, {
      migrations: [{ name: '001-first', sql: 'select 1' }],
      functions: [],
    });
    await database.get();
    await database.close();
    expect(await migrationsOf(['001-first'])).toMatchObject({ state: 'ok', found: 'all 1 applied' });
    expect(await migrationsOf([])).toMatchObject({ state: 'problem', found: 'unknown: 001-first' });
    expect(statesOf(await checkDatabase(address, ['001-first']))).toEqual({
      PostgreSQL: 'ok',
      'PostgreSQL migrations': 'ok',
      'PostgreSQL clock': 'ok',
    });
    expect(statesOf(await checkDatabase({ ...address, connections: 100 }, []))).toMatchObject({
      PostgreSQL: 'warning',
    });
  });

  it('reports an unreachable server', async () => {
    const [only] = await checkDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', connections: 1 }, []);
    expect(only).toMatchObject({ what: 'PostgreSQL', state: 'problem' });
  });
});

describeWithKafka('the doctor on Kafka', () => {
  const examine = (broker: string, prefix: string, replicationFactor = 1) => {
    const kafka = { brokers: [broker], prefix, replicationFactor, tls: undefined, sasl: undefined };
    return checkKafka({ ...kafka, survey: (names) => surveyKafka(kafka, names) });
  };
  const create = (broker: string, names: readonly string[]) =>
    createMissingTopics({ clientId: 'doctor', bootstrapBrokers: [broker] }, names, 1);

  it('reports topics that are missing, present, and short of replicas', async () => {
    const broker = await sharedKafka();
    const prefix = `${unique('doctor')}.`;
    const [brokers, missing] = await examine(broker, prefix);
    expect(brokers).toMatchObject({ what: 'Kafka', state: 'ok', found: '1 broker' });
    expect(missing).toMatchObject({ what: 'Kafka topics', state: 'warning' });
    await create(
      broker,
      topics.map((topic) => prefix + topic),
    );
    const states = Object.fromEntries(topics.map((topic) => [`Kafka topic ${prefix}${topic}`, 'ok']));
    expect(statesOf(await examine(broker, prefix))).toEqual({ Kafka: 'ok', ...states });
    const [tooFew, topic] = await examine(broker, prefix, 3);
    expect(tooFew).toMatchObject({ state: 'problem', advice: expect.stringContaining('KAFKA_REPLICATION_FACTOR=3') });
    expect(topic).toMatchObject({ state: 'warning', found: '1 replicas' });
  });

  it('reports topics with too few partitions and those without a leader', async () => {
    const survey = async () => ({
      brokers: 3,
      topics: new Map([
        ['payment-events', { partitions: 1, replicas: 3, withoutLeader: 0 }],
        ['transfer-events', { partitions: 3, replicas: 3, withoutLeader: 2 }],
      ]),
    });
    expect(statesOf(await checkKafka({ prefix: '', replicationFactor: 3, survey }))).toEqual({
      Kafka: 'ok',
      'Kafka topics': 'warning',
      'Kafka topic payment-events': 'warning',
      'Kafka topic transfer-events': 'problem',
    });
  });

  it('warns of flat records without a prefix of the groups', async () => {
    const survey = async () => ({ brokers: 1, topics: new Map() });
    const stateOf = async (more: { format: 'nested' | 'flat'; groupPrefix?: string }) =>
      statesOf(await checkKafka({ prefix: '', replicationFactor: 1, survey, ...more }))['Kafka groups'];
    expect(await stateOf({ format: 'flat' })).toBe('warning');
    expect(await stateOf({ format: 'flat', groupPrefix: 'fairline-' })).toBeUndefined();
    expect(await stateOf({ format: 'nested' })).toBeUndefined();
  });

  it('reports an unreachable server', async () => {
    const [only] = await examine('127.0.0.1:1', '');
    expect(only).toMatchObject({ what: 'Kafka', state: 'problem', found: expect.stringContaining('ECONNREFUSED') });
  });
});

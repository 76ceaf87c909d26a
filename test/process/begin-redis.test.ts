/** Starts with a Redis server, a cluster, a line or DynamoDB away, hanging or unusable. */
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeWithDynamoDb, startDynamoDb } from '../support/dynamodb-server.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithRedis, startRedis, startRedisCluster } from '../support/redis-server.ts';
import { runProgram, type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { setRoom } from '../support/shared-line.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const ROLES = 'line,admitter,advancer';

const start = (env: Record<string, string>) =>
  startServer({ FAIRLINE_ROLES: ROLES, DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '100', ...env });

const readiness = (server: ServerProcess) => server.ask('GET', '/ready');

async function isReady(server: ServerProcess): Promise<boolean> {
  return (await readiness(server)).status === 200;
}

/** A visitor joins, waits and is admitted. */
async function serves(server: ServerProcess, user: string): Promise<void> {
  await setRoom(server, { maxActive: 0 });
  const { body } = await server.ask('POST', '/api/queue/check/concert', { user });
  expect(body.status).toBe('queued');
  await setRoom(server, { maxActive: 1_000 });
  const status = async () => (await server.ask('GET', '/api/queue/status/concert', { user })).body.status;
  await until('the admission', async () => (await status()) === 'active');
}

describeWithRedis('a process that starts while Redis', () => {
  it('hangs listens, and begins when Redis goes on', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    redis.pause();
    const server = await start({ REDIS_URL: redis.url });
    expect(await readiness(server)).toMatchObject({ status: 503, body: { error: { code: 'STORE_UNAVAILABLE' } } });
    expect((await readiness(server)).body.error.message).toMatch(/Redis/);
    redis.resume();
    await until('the process to be ready', () => isReady(server));
    await serves(server, 'a');
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  it('has an evicting policy fails at once; if that server comes later, it says so until the policy is changed', async () => {
    const redis = await startRedis('--maxmemory-policy', 'allkeys-lru');
    onTestFinished(() => redis.stop());
    const env = { ...secrets, DATA_DIR: tempFolder(), REDIS_URL: redis.url, PORT: '0', SHOP: 'off' };
    const { code, output } = await runProgram(['start'], env);
    expect(code).toBe(1);
    expect(output).toMatch(/^fairline: Redis at .* has maxmemory-policy allkeys-lru.*set it to noeviction$/m);
    expect(output).not.toMatch(/^ {4}at /m);

    await redis.kill();
    const server = await start({ REDIS_URL: redis.url });
    await redis.start();
    await until('the policy to be reported', async () => {
      const { status, body } = await readiness(server);
      return status === 503 && body.error.message.includes('allkeys-lru');
    });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    await until('the process to be ready', () => isReady(server));
    await serves(server, 'a');

    // A server that returns is checked again.
    await redis.kill();
    await redis.start();
    await until('the policy to be reported again', async () => {
      const { status, body } = await readiness(server);
      return status === 503 && body.error.message.includes('allkeys-lru');
    });
  });

  it('refuses the password fails at once and says so', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = new Redis(redis.url);
    await client.config('SET', 'requirepass', 'another-password');
    client.disconnect();
    const env = { ...secrets, DATA_DIR: tempFolder(), PORT: '0', SHOP: 'off' };
    const { code, output } = await runProgram(['start'], { ...env, REDIS_URL: redis.url.replace('//', '//:guess@') });
    expect([code, output]).toEqual([1, expect.stringMatching(/^fairline: Redis cannot be reached: WRONGPASS/m)]);
    expect(output).not.toContain('guess');
  });

  it('is a cluster of which no server runs begins when the cluster comes, and again after it was away', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.stop());
    const killAll = () => Promise.all(cluster.servers.map((server) => server.kill()));
    const startAll = () => Promise.all(cluster.servers.map((server) => server.start()));
    await killAll();
    const server = await start({ REDIS_CLUSTER: cluster.addresses });
    expect((await readiness(server)).body.error.message).toMatch(/Redis cannot be reached: no server of the cluster/);
    await startAll();
    await until('the process to be ready', () => isReady(server));
    await until('the cluster to serve', () =>
      serves(server, 'a').then(
        () => true,
        () => false,
      ),
    );
    await killAll();
    await until('the process to notice', async () => !(await isReady(server)));
    await startAll();
    await until('the process to be ready', () => isReady(server));
    await until('the cluster to serve', () =>
      serves(server, 'b').then(
        () => true,
        () => false,
      ),
    );
  });
});

describeWithDynamoDb('a process that starts while DynamoDB is away', () => {
  it('says so, serves numbers when it comes, and recovers when it was away', async () => {
    const port = await freePort();
    const env = { VWR_STORE: 'dynamodb', VWR_DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}` };
    const line = await startServer({ DATA_DIR: tempFolder(), ...env });
    expect((await readiness(line)).body.error.message).toMatch(/DynamoDB/);
    const runWithTables = async () => {
      const dynamodb = await startDynamoDb(port);
      onTestFinished(() => dynamodb.stop());
      expect((await runProgram(['migrate'], { ...secrets, ...env, DATA_DIR: tempFolder() })).code).toBe(0);
      await until('the process to be ready', () => isReady(line));
      return dynamodb;
    };
    const dynamodb = await runWithTables();
    await setRoom(line, { maxActive: 0 });
    const operate = (action: string, method = 'POST') =>
      line.ask(method, `/api/admin/vwr/${action}/concert`, { operator: true });
    expect((await operate('activate')).status).toBe(200);
    await until('a number', async () => (await line.ask('POST', '/vwr/assign/concert')).status === 200);
    await until('the advancer to serve it', async () => (await operate('status', 'GET')).body.servingCounter >= 1);
    await dynamodb.stop();
    await until('the process to notice', async () => !(await isReady(line)));
    await runWithTables();
  });
});

describe('fairline gate that starts while the line is away', () => {
  it('listens, decides about requests, and reaches the line when it comes', async () => {
    const port = await freePort();
    const site = await startSite();
    const gate = await startGateProcess(['--upstream', site.url, '--line', `http://127.0.0.1:${port}`, '--port', '0']);
    const join = () => gate.ask('POST', '/api/queue/check/concert', { user: 'mina' });
    expect((await gate.ask('GET', '/api/seats/events/concert', { user: 'mina' })).status).toBe(403);
    expect((await join()).status).toBeGreaterThanOrEqual(502);
    const line = await startServer({ DATA_DIR: tempFolder(), PORT: `${port}` });
    await setRoom(line, { maxActive: 1 });
    await until('the gate to reach the line', async () => (await join()).body.status === 'active');
    expect(await gate.kill('SIGTERM')).toBe(0);
  });
});

/** compose's load balancer and the Ingress: every endpoint reaches a process that serves it, and restarts go unnoticed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildApp } from '../../src/compose/app.ts';
import type { RoleName } from '../../src/config/role-names.ts';
import { ask } from '../gate/proxy/run-gate.ts';
import { isThere } from '../support/debian-install.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithNginx, startNginx } from '../support/nginx-server.ts';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';
import { startServer } from '../support/server-process.ts';
import { createTestApp, secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { readRecipe } from './recipes.ts';
import { startStub } from './stub-server.ts';

const compose = parse(readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, { environment?: { FAIRLINE_ROLES?: string } }>;
};
const rolesOf = (name: string) => compose.services[name]!.environment!.FAIRLINE_ROLES!.split(',') as RoleName[];

/** The paths that processes with these roles serve, with an example for each parameter. */
async function listPaths(roles: readonly RoleName[]): Promise<string[]> {
  const { context } = await createTestApp();
  const app = await buildApp({ ...context, registry: new Registry(), config: { ...context.config, roles } });
  onTestFinished(() => app.close());
  await app.ready();
  const toPath = (url: string) => url.replace(/:\w+/g, 'x1').replace('*', 'x1');
  return [...new Set(app.routeList.map(({ url }) => toPath(url)))];
}

/** Which of `line` and `shop` must get a path; paths that both serve are left out. */
async function listOwners(): Promise<[string, string][]> {
  const line = await listPaths(rolesOf('line-1'));
  const shop = await listPaths(rolesOf('shop'));
  return [
    ...line.filter((path) => !shop.includes(path)).map((path): [string, string] => [path, 'line']),
    ...shop.filter((path) => !line.includes(path)).map((path): [string, string] => [path, 'shop']),
  ];
}

async function startBalancer(lines: readonly [string, string], shop: string): Promise<string> {
  const port = await freePort();
  const config = readRecipe('compose/nginx.conf')
    .replaceAll('line-1:3000', lines[0])
    .replaceAll('line-2:3000', lines[1])
    .replaceAll('shop:3000', shop)
    .replace('listen 80', `listen ${port}`);
  const url = `http://127.0.0.1:${port}`;
  await startNginx(config, url);
  return url;
}

const named = (name: string) => startStub((_request, response) => response.end(name));

describeWithNginx('the load balancer of compose.yaml', () => {
  it('routes every endpoint of the product to a process that serves it', async () => {
    const line = await named('line');
    const url = await startBalancer([line, line], await named('shop'));
    const owners = await listOwners();
    expect(owners.map(([path]) => path)).toEqual(
      expect.arrayContaining(['/membership', '/checkout/transfers/x1', '/queue/x1']),
    );
    const routed: [string, string][] = [];
    for (const [path] of owners) routed.push([path, (await ask(url, path)).text]);
    expect(routed).toEqual(owners);
    expect((await ask(url, '/metrics')).status).toBe(404);
  });
});

const manifests = parseAllDocuments(readRecipe('kubernetes/fairline.yaml')).map((one) => one.toJS());

describe('the Ingress', () => {
  interface Path {
    path: string;
    backend: { service: { name: string } };
  }
  const [{ http }] = manifests.find(({ kind }) => kind === 'Ingress').spec.rules as [{ http: { paths: Path[] } }];
  /** As ingress-nginx does with use-regex: the longest path first, each anchored at the start, in any case. */
  const paths = [...http.paths].sort((a, b) => b.path.length - a.path.length);
  const serviceOf = (url: string) =>
    paths.find(({ path }) => new RegExp(`^${path}`, 'i').test(url))?.backend.service.name.replace('fairline-', '') ??
    'none';

  it('routes every endpoint of the product to a service that serves it', async () => {
    const owners = await listOwners();
    expect(owners.map(([path]) => [path, serviceOf(path)])).toEqual(owners);
  });
});

describeWithRedis('a rolling restart behind the load balancer of compose.yaml', () => {
  it.skipIf(!isThere('nginx'))(
    'loses no poll and no join',
    async () => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const env = {
        REDIS_URL: redis.url,
        TRUST_PROXY: '127.0.0.1',
        LIMIT_JOIN_PER_VISITOR: '0',
        STOP_TIMEOUT_MS: '5000',
      };
      const ports = [`${await freePort()}`, `${await freePort()}`] as const;
      const run = (port: string) =>
        startServer({ ...env, PORT: port, HOST: '127.0.0.1', FAIRLINE_ROLES: 'line,admitter' });
      const lines = [await run(ports[0]), await run(ports[1])];
      await lines[0]!.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 5 } });
      const url = await startBalancer([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`], '127.0.0.1:9');
      const authorization = `Bearer ${lines[0]!.userToken('mina')}`;
      const statuses: number[] = [];
      let isDone = false;
      const poll = async () => {
        while (!isDone || statuses.length < 150) {
          const method = statuses.length % 5 === 0 ? 'POST' : 'GET';
          const path = method === 'POST' ? '/api/queue/check/concert' : '/api/queue/status/concert';
          const { status } = await ask(url, path, { method, headers: { authorization } });
          statuses.push(status);
        }
      };
      const polling = Promise.all([poll(), poll(), poll()]);
      for (const [index, port] of ports.entries()) {
        const before = statuses.length;
        await until('polls through both lines', () => statuses.length > before + 20);
        await lines[index]!.kill('SIGTERM');
        lines[index] = await run(port);
      }
      isDone = true;
      await polling;
      expect(statuses.length).toBeGreaterThanOrEqual(150);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    },
    180_000,
  );
});

it('metrics are refused to visitors with the settings of compose and Kubernetes', async () => {
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap').data as Record<string, string>;
  const [{ env }] = manifests.find(({ metadata }) => metadata.name === 'fairline-line').spec.template.spec.containers;
  const { value } = env.find(({ name }: { name: string }) => name === 'METRICS_PORT');
  const { anyone } = await createTestApp({ ...secrets, METRICS_PORT: value, TRUST_PROXY: settings.TRUST_PROXY! });
  expect((await anyone('GET', '/metrics')).statusCode).toBe(403);
});

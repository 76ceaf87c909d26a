/** Checks that deploy/ matches the program: its settings, roles, metrics, tables and entry points. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/read-config.ts';
import { roleNames } from '../../src/config/role-names.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithNginx, startNginx } from '../support/nginx-server.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const metrics = new Set(read('docs/reference/metrics.md').match(/fairline_[a-z_]+/g));
/** Prometheus appends a suffix to the name of a histogram. */
const plainName = (name: string) => (metrics.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''));
const metricsIn = (text: string) => [...new Set(text.match(/\bfairline_[a-z_]+/g))].map(plainName);

interface Workload {
  name: string;
  /** Its settings by name. */
  env: Record<string, string>;
}

const composed = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> };
interface ComposeService {
  image?: string;
  environment?: Record<string, string>;
}
const composeWorkloads: Workload[] = Object.entries(composed.services)
  .filter(([, { image }]) => image === 'fairline')
  .map(([name, { environment = {} }]) => ({ name, env: environment }));

interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    template: {
      spec: { containers: [{ env: { name: string; value: string }[]; readinessProbe: Probe; livenessProbe: Probe }] };
    };
  };
}
interface Probe {
  httpGet: { path: string };
}
interface PodTemplate {
  metadata: { annotations: Record<string, string> };
  spec: { containers: [{ ports: { name: string; containerPort: number }[] }] };
}
const manifests = readdirSync(join(root, 'deploy/kubernetes')).flatMap((file) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const podsOf = (manifest: Manifest) => manifest.spec.template.spec.containers[0];
const shared = { ...ofKind('ConfigMap')[0]?.data, ...ofKind('Secret')[0]?.stringData };
const kubernetesWorkloads: Workload[] = ofKind('Deployment').map((manifest) => ({
  name: manifest.metadata.name,
  env: { ...shared, ...Object.fromEntries(podsOf(manifest).env.map(({ name, value }) => [name, value])) },
}));

describe.each([
  {
    where: 'compose.yaml',
    workloads: composeWorkloads,
    secrets: ['ADMIN_TOKEN', 'QUEUE_ENTRY_TOKEN_SECRET', 'VWR_TOKEN_SECRET', 'AUTH_JWT_SECRET', 'GUEST_SECRET'],
  },
  {
    where: 'the Kubernetes manifests',
    workloads: kubernetesWorkloads,
    secrets: ['ADMIN_TOKEN', 'FAIRLINE_SECRET', 'TOKEN_KEYS_FILE'],
  },
])('$where', ({ workloads, secrets }) => {
  it('runs every role and no unknown one', () => {
    const roles = workloads.flatMap(({ env }) => env.FAIRLINE_ROLES?.split(',') ?? []);
    expect([...new Set(roles)].sort()).toEqual([...roleNames].sort());
  });

  it('uses only existing settings, and sets every secret that processes share', () => {
    for (const { name, env } of workloads) {
      expect(
        Object.keys(env).filter((key) => !(key in settings)),
        name,
      ).toEqual([]);
      for (const secret of secrets) expect(env, name).toHaveProperty(secret);
    }
  });
});

describe('the Kubernetes manifests', () => {
  it('probe /ready and /health, and have a disruption budget for each deployment', () => {
    for (const manifest of ofKind('Deployment')) {
      const { readinessProbe, livenessProbe } = podsOf(manifest);
      expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/ready', '/health']);
    }
    const names = (kind: string) =>
      ofKind(kind)
        .map(({ metadata }) => metadata.name)
        .sort();
    expect(names('PodDisruptionBudget')).toEqual(names('Deployment'));
  });

  it('serve metrics on a port to which no service leads', () => {
    const port = kubernetesWorkloads[0]!.env.METRICS_PORT;
    for (const manifest of ofKind('Deployment')) {
      const { metadata, spec } = manifest.spec.template as unknown as PodTemplate;
      expect(metadata.annotations['prometheus.io/port']).toBe(port);
      expect(spec.containers[0].ports).toContainEqual({ name: 'metrics', containerPort: Number(port) });
    }
    for (const text of [...ofKind('Service'), ...ofKind('Ingress')].map((manifest) => JSON.stringify(manifest))) {
      expect(text).not.toMatch(/metrics|9464/);
    }
    expect(read('deploy/prometheus/prometheus.yaml')).toContain(`line-1:${port}`);
    expect(composeWorkloads.map(({ env }) => env.METRICS_PORT)).toEqual(composeWorkloads.map(() => port));
  });

  it('scale by existing metrics', () => {
    const text = read('deploy/kubernetes/fairline.yaml');
    expect(text).toContain('fairline_streams');
    expect(metricsIn(text).filter((name) => !metrics.has(name))).toEqual([]);
  });
});

describe.each(['deploy/grafana/fairline.json', 'deploy/prometheus/alerts.yaml'])('%s', (path) => {
  it('uses only existing metrics', () => {
    const used = metricsIn(read(path));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !metrics.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows every metric that no alert uses, with two exceptions', () => {
    const shown = new Set(metricsIn(read('deploy/grafana/fairline.json')));
    const alerted = new Set(metricsIn(read('deploy/prometheus/alerts.yaml')));
    expect([...metrics].filter((name) => !shown.has(name) && !alerted.has(name)).sort()).toEqual([
      'fairline_hints_total',
      'fairline_streams_opened_total',
    ]);
  });
});

describe('the Terraform files', () => {
  const functions = read('deploy/terraform/functions.tf');

  it('use existing entry points and settings', () => {
    const handlers = [...functions.matchAll(/handler\s+= "(dist\/.*)\.handler"/g)].map(([, path]) => path!);
    expect(handlers).toHaveLength(2);
    for (const path of handlers) expect(existsSync(join(root, `${path.replace('dist/', '')}.ts`)), path).toBe(true);
    const block = /settings = \{([\s\S]*?)\n {2}\}/.exec(functions)![1]!;
    const names = [...block.matchAll(/^\s+([A-Z_]+)\s+=/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !(name in settings))).toEqual([]);
  });

  it('create the tables and indexes that the program uses', () => {
    const tables = read('deploy/terraform/tables.tf');
    const rows = read('src/tier1/store/dynamodb/rows.ts');
    for (const name of ['vwr-counters', 'vwr-positions', 'active-index', 'eventId-position-index']) {
      expect(tables).toContain(name);
      expect(rows).toContain(name);
    }
  });
});

describeWithNginx('the nginx of compose.yaml', () => {
  it('routes shop paths to the shop, all others to the line, and hides the metrics', async () => {
    const [line, shop, port] = [await startNamed('line'), await startNamed('shop'), await freePort()];
    const site = read('deploy/compose/nginx.conf')
      .replaceAll('line-1:3000', `127.0.0.1:${line}`)
      .replaceAll('line-2:3000', `127.0.0.1:${line}`)
      .replaceAll('shop:3000', `127.0.0.1:${shop}`)
      .replace('listen 80', `listen ${port}`);
    const url = `http://127.0.0.1:${port}`;
    await startNginx(site, url);
    const ask = (path: string) => fetch(url + path).then((response) => response.text());
    const api = [
      '/api/seats/events/x',
      '/api/v1/payments/prepare',
      '/api/events',
      '/api/v1/events/x',
      '/api/admin/events/x',
    ];
    const more = ['/api/stats/overview', '/api/transfers', '/api/v1/memberships/my'];
    const pages = [
      '/',
      '/me',
      '/reset-password',
      '/events/x',
      '/events/x/seats',
      '/checkout/r_1',
      '/reservations/r_1',
      '/assets/shop.js',
    ];
    for (const path of [...api, ...more, ...pages]) expect(await ask(path), path).toBe('shop');
    for (const path of [
      '/queue/x',
      '/queue/assets/queue.js',
      '/draw/x',
      '/api/queue/status/x',
      '/events/x/tickets/waiting',
      '/api/v1/events/x/tickets/waiting',
      '/api/admin/rooms',
      '/api/eventsx',
    ]) {
      expect(await ask(path), path).toBe('line');
    }
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});

/** Starts a server that responds with its name; returns its port. */
async function startNamed(name: string): Promise<number> {
  const server = createServer((_request, response) => response.end(name));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The Helm chart, rendered with Helm's own packages for every example, and with values that it must refuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, readGateConfig } from '../../src/config/read-config.ts';
import { roleNames } from '../../src/config/role-names.ts';
import { chartFolder, hasGo, installChartTool, type Rendering, render, renderAll } from './chart-tool.ts';
import { containerOf, findManifestProblems, isProgram, readEnvironment } from './find-manifest-problems.ts';
import { knownSettings, secretNames } from './known-settings.ts';
import type { KubernetesObject } from './kubernetes-object.ts';
import { renderKubernetes } from './render-kubernetes.ts';

const root = join(import.meta.dirname, '../..');
const examples = readdirSync(join(chartFolder, 'examples')).map((file) => file.replace('.yaml', ''));
const valuesOf = (example: string) => parse(readFileSync(join(chartFolder, `examples/${example}.yaml`), 'utf8'));

/** Secrets that an example says the reader has. */
const existing: Record<string, Record<string, string[]>> = {
  'external-stores': {
    'fairline-settings': ['REDIS_PASSWORD', 'DATABASE_URL', 'KAFKA_SASL_PASSWORD', 'FAIRLINE_SECRET', 'ADMIN_TOKEN'],
    'fairline-token-keys': ['token-keys.json'],
  },
  'gate-only': { 'fairline-gate': ['SERVICE_KEY'] },
};
/** Created by the hook, not by a manifest. */
const hookSecrets = { 'fairline-token-keys': ['token-keys.json'], 'fairline-waiting-token-keys': ['keys.json'] };

/** Values that the chart must refuse, with the reason that it gives. */
const refusals: [title: string, values: object, reason: RegExp][] = [
  ['an unknown value', { lines: 3 }, /additional properties 'lines' not allowed/],
  ['an unknown value in a component', { line: { replica: 3 } }, /additional properties 'replica' not allowed/],
  ['a wrong type', { line: { replicas: 'many' } }, /got string, want integer/],
  ['an unknown algorithm', { tokens: { algorithm: 'RS256' } }, /value must be one of/],
  ['a secret among the settings', { settings: { TICKET_SECRET: 'x' } }, /invalid propertyName 'TICKET_SECRET'/],
  ['a setting that the chart sets', { settings: { PORT: 80 } }, /invalid propertyName 'PORT'/],
  ['a malformed address', { redis: { own: false, url: 'redis.example' } }, /does not match pattern/],
  ['nothing to run', { line: { enabled: false }, shop: { enabled: false } }, /enable one of them/],
  ['a shop without a line', { line: { enabled: false } }, /the shop needs the line/],
  ['a gate without a site', { gate: { enabled: true } }, /gate.upstream is empty/],
  [
    'a gate without a line',
    { line: { enabled: false }, shop: { enabled: false }, gate: { enabled: true, upstream: 'http://site' } },
    /gate.lineUrl is empty/,
  ],
  [
    'a gate without its secrets',
    { gate: { enabled: true, upstream: 'http://site', secretKeys: ['AUTH_JWT_SECRET'] } },
    /the gate needs AUTH_JWT_SECRET, which is in no Secret/,
  ],
  ['no Redis', { redis: { own: false } }, /no Redis is given/],
  ['no PostgreSQL', { postgresql: { own: false } }, /no PostgreSQL is given/],
  ['an ingress without a host', { ingress: { enabled: true } }, /ingress.host is empty/],
  ['a route without a Gateway', { httpRoute: { enabled: true, host: 'a.example' } }, /requires parentRefs/],
];

const nameOf = ({ metadata }: KubernetesObject) => metadata.name;
const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();
const programs = ({ objects }: Rendering) => objects.filter(isProgram);
const secretOf = ({ objects }: Rendering, name: string) =>
  objects.find((object) => object.kind === 'Secret' && nameOf(object) === name)!;

describe.skipIf(!hasGo)('the Helm chart (install Go 1.26 or later to run this)', () => {
  let rendered: Record<string, Rendering>;
  let refused: Record<string, Rendering>;
  beforeAll(() => {
    installChartTool();
    // All at once: the program needs most of its time to start and to read the schemas.
    const all = renderAll([
      ...examples.map((example) => ({ values: valuesOf(example), lint: true })),
      ...refusals.map(([, values]) => ({ values })),
    ]);
    rendered = Object.fromEntries(examples.map((example, index) => [example, all[index]!]));
    refused = Object.fromEntries(refusals.map(([title], index) => [title, all[examples.length + index]!]));
  }, 900_000);

  describe.each(examples)('with the values %s', (example) => {
    it('passes helm lint --strict and kubeconform', () => {
      const { error, lint, problems, objects } = rendered[example]!;
      expect({ error, lint, problems }).toEqual({ error: '', lint: [], problems: [] });
      expect(objects.length).toBeGreaterThan(4);
    });

    it('renders objects that fit together and fit the program', () => {
      const problems = findManifestProblems(rendered[example]!.objects, {
        settings: knownSettings,
        secretSettings: secretNames,
        secrets: { ...hookSecrets, ...existing[example] },
        otherVariables: new Set(['TZ']),
      });
      expect(problems).toEqual([]);
    });

    it('gives every component settings that it accepts', () => {
      const { objects } = rendered[example]!;
      const given = Object.values(existing[example] ?? {}).flat();
      for (const deployment of programs(rendered[example]!)) {
        const environment = readEnvironment(deployment, objects);
        const isGate = containerOf(deployment).args[0] === 'gate';
        const known = isGate ? [] : given.map((name) => [name, '(secret)']);
        const whole = fillSecrets({ ...Object.fromEntries(known), ...environment });
        expect(() => (isGate ? readGateConfig({}, whole) : readConfig(whole)), nameOf(deployment)).not.toThrow();
      }
    });

    it('runs every role once that its components need', () => {
      const { line, shop } = { ...defaults(), ...valuesOf(example) };
      const roles = programs(rendered[example]!).flatMap((deployment) =>
        (readEnvironment(deployment, rendered[example]!.objects).FAIRLINE_ROLES ?? '').split(',').filter(Boolean),
      );
      const ofShop = ['shop', 'stats', 'keeper', 'relay', 'chain'];
      const needed = roleNames.filter((role) => (ofShop.includes(role) ? shop.enabled : line.enabled) !== false);
      expect(roles.sort()).toEqual([...needed].sort());
    });

    it('stops gracefully and is probed', () => {
      for (const deployment of programs(rendered[example]!)) {
        const { lifecycle, readinessProbe, livenessProbe, args } = containerOf(deployment);
        const { STOP_TIMEOUT_MS } = readEnvironment(deployment, rendered[example]!.objects);
        const delay = Number(lifecycle!.preStop.exec.command[1]);
        const { terminationGracePeriodSeconds = 0 } = deployment.spec!.template!.spec;
        expect(terminationGracePeriodSeconds).toBeGreaterThan(delay + Number(STOP_TIMEOUT_MS) / 1000);
        const isGate = args[0] === 'gate';
        expect(readinessProbe?.httpGet).toEqual({
          path: isGate ? '/health' : '/ready',
          port: isGate ? 'metrics' : 'http',
        });
        expect(livenessProbe?.httpGet?.path).toBe('/health');
      }
    });
  });

  it('gives the gate public keys only', () => {
    const gate = programs(rendered.everything!).find(({ metadata }) => metadata.name.endsWith('-gate'))!;
    const environment = readEnvironment(gate, rendered.everything!.objects);
    const secrets = Object.keys(environment).filter((name) => environment[name] === '(secret)');
    expect(secrets).toEqual(['SERVICE_KEY', 'AUTH_JWT_SECRET']);
    expect(JSON.stringify(gate)).not.toContain('token-keys');
    expect(environment).toMatchObject({ GATE_LINE_URL: 'http://fairline-waiting-line:8080', GATE_STATUS_PORT: '9464' });
  });

  it('keeps generated secrets over upgrades, and never repeats them', () => {
    const first = rendered.minimal!;
    const kept = ['fairline', 'fairline-redis', 'fairline-postgresql'].map((name) => secretOf(first, name));
    const values = kept.flatMap(({ data }) => Object.values(data!));
    expect(new Set(values).size).toBe(values.length);
    expect(Object.keys(kept[0]!.data!).sort()).toEqual(['ADMIN_TOKEN', 'FAIRLINE_SECRET', 'SERVICE_KEY']);
    for (const name of ['ADMIN_TOKEN', 'FAIRLINE_SECRET', 'SERVICE_KEY']) {
      expect(decode(kept[0]!.data![name])).toMatch(/^[A-Za-z0-9]{48}$/);
    }
    const password = decode(kept[1]!.data!.password);
    expect(decode(kept[1]!.data!.REDIS_URL)).toBe(`redis://:${password}@fairline-redis:6379`);

    const objects = kept.map((secret) => ({ ...secret, metadata: { ...secret.metadata, namespace: 'sale' } }));
    const [upgraded, elsewhere] = renderAll([
      { values: valuesOf('minimal'), isUpgrade: true, objects },
      { values: valuesOf('minimal'), namespace: 'other', objects },
    ]);
    for (const secret of kept) {
      expect(secretOf(upgraded!, nameOf(secret)).data).toEqual(secret.data);
      expect(secretOf(elsewhere!, nameOf(secret)).data).not.toEqual(secret.data);
      expect(secret.metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' });
    }
  });

  it('puts given secrets into the Secret instead of generated ones', () => {
    const values = {
      secrets: { values: { ADMIN_TOKEN: 'given-admin-token', MAIL_URL: 'smtp://user:password@mail.example' } },
      redis: { own: false, url: 'rediss://:password@redis.example:6379' },
      postgresql: { own: false, url: 'postgres://fairline:password@postgres.example/fairline' },
    };
    const { objects, problems } = render(values);
    expect(problems).toEqual([]);
    const { data } = secretOf({ objects } as Rendering, 'fairline');
    expect(decode(data!.ADMIN_TOKEN)).toBe('given-admin-token');
    expect(decode(data!.REDIS_URL)).toBe('rediss://:password@redis.example:6379');
    expect(decode(data!.DATABASE_URL)).toContain('postgres.example');
    expect(objects.filter(({ kind }) => kind === 'StatefulSet')).toEqual([]);
  });

  it('has the alerts of deploy/prometheus, and a job label that they expect', () => {
    const rule = rendered.everything!.objects.find(({ kind }) => kind === 'PrometheusRule')!;
    expect(rule.spec).toEqual(parse(readFileSync(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8')));
    const service = rendered.everything!.objects.find(({ metadata }) => metadata.name.endsWith('-metrics'))!;
    expect(service.metadata.labels?.['fairline/job']).toBe('fairline');
  });

  it.each(['Ingress', 'HTTPRoute'])('leads shop paths to the shop and all others to the line: %s', (kind) => {
    const [{ spec }] = rendered.everything!.objects.filter((object) => object.kind === kind) as [KubernetesObject];
    const rules =
      kind === 'Ingress'
        ? spec!.rules![0]!.http!.paths.map(({ path, backend }) => ({ path, to: backend.service.name }))
        : spec!.rules!.flatMap(({ matches, backendRefs }) =>
            matches!.map(({ path }) => ({ path: path.value, to: backendRefs![0]!.name })),
          );
    const targetOf = (path: string) =>
      rules.find((rule) => rule.path === '/' || new RegExp(`^${rule.path}`).exec(path)?.[0] === path)!.to;
    for (const path of [
      '/',
      '/me',
      '/events/x',
      '/events/x/seats',
      '/checkout/r_1',
      '/assets/shop.js',
      '/api/events',
    ]) {
      expect(targetOf(path), path).toMatch(/-shop$/);
    }
    for (const path of [
      '/api/seats/events/x',
      '/api/v1/events/x',
      '/api/v1/payments/prepare',
      '/api/admin/events/x',
      '/api/stats/overview',
    ]) {
      expect(targetOf(path), path).toMatch(/-shop$/);
    }
    const ofLine = [
      '/queue/x',
      '/queue/assets/queue.js',
      '/draw/x',
      '/events/x/tickets/waiting',
      '/api/v1/events/x/tickets/waiting',
      '/api/queue/status/x',
    ];
    for (const path of [...ofLine, '/api/admin/rooms', '/api/eventsx', '/.well-known/jwks.json', '/admin']) {
      expect(targetOf(path), path).toMatch(/-line$/);
    }
  });

  it('admits only the gate besides those in visitorsFrom, and no gate to a store', () => {
    const policy = (name: string) =>
      rendered.everything!.objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)!
        .spec!;
    const [visitors] = policy('fairline-waiting-line').ingress!;
    expect(visitors!.from).toHaveLength(2);
    expect(visitors!.from![1]!.podSelector?.matchLabels).toMatchObject({ 'app.kubernetes.io/component': 'gate' });
    expect(policy('fairline-waiting-shop').ingress![0]!.from).toHaveLength(1);
    const [store] = policy('fairline-waiting-redis').ingress!;
    expect(store!.from).toEqual([
      {
        podSelector: {
          matchLabels: { 'app.kubernetes.io/name': 'waiting', 'app.kubernetes.io/instance': 'fairline' },
          matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'NotIn', values: ['gate'] }],
        },
      },
    ]);
    const egress = policy('fairline-waiting-gate').egress!;
    expect(egress.map(({ ports }) => ports!.map(({ port }) => port))).toEqual([[53, 53], ['http'], [8080]]);
  });

  it.each(refusals)('refuses %s and says why', (title, _values, reason) => {
    expect(refused[title]!.error).toMatch(reason);
  });

  it('says what to do next', () => {
    expect(rendered.minimal!.notes).toContain('get secret fairline -o jsonpath');
    expect(rendered.minimal!.notes).toContain('port-forward service/fairline-line 3000:80');
    expect(rendered['external-stores']!.notes).toContain('https://tickets.example.com/admin');
    expect(rendered['external-stores']!.notes).toContain('fairline keys create --file token-keys.json');
    expect(rendered['gate-only']!.notes).not.toContain('ADMIN_TOKEN');
  });

  it('is the source of deploy/kubernetes (write it with: npm test -- test/deploy/chart.test.ts -u)', async () => {
    await expect(renderKubernetes()).toMatchFileSnapshot(join(root, 'deploy/kubernetes/fairline.yaml'));
  });
});

/** Values as they are in the Secrets of a cluster. */
function fillSecrets(environment: Record<string, string>): Record<string, string> {
  const urls: Record<string, string> = {
    REDIS_URL: 'redis://:password@redis:6379',
    DATABASE_URL: 'postgres://fairline:password@postgresql:5432/fairline',
  };
  const fill = ([name, value]: [string, string]) => [
    name,
    value === '(secret)' ? (urls[name] ?? name.padEnd(48, '-')) : value,
  ];
  return Object.fromEntries(Object.entries(environment).map(fill));
}

function defaults(): Record<'line' | 'shop', { enabled: boolean }> {
  return parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8'));
}

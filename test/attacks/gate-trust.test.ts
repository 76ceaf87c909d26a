/** Only our own proxy says from which address a visitor comes. */
import { readdirSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithNginx, startNginx } from '../support/nginx-server.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { type HeaderList, sendRaw } from './conformance.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const CLAIMED = '203.0.113.66';
const claims: HeaderList = [
  ['X-Forwarded-For', CLAIMED],
  ['X-Forwarded-Host', 'forged.example'],
  ['X-Forwarded-Proto', 'forged'],
  ['Forwarded', `for=${CLAIMED}`],
];

describe('compose.yaml', () => {
  const { services, networks, 'x-env': env } = parse(read('compose.yaml'), { merge: true });
  const address: string = services.balancer.networks?.default.ipv4_address;

  it('trusts the balancer and no other container', () => {
    expect(env.TRUST_PROXY).toBe(address);
    for (const { environment } of Object.values<{ environment?: Record<string, string> }>(services)) {
      expect([undefined, address]).toContain(environment?.TRUST_PROXY);
    }
  });

  it('gives no other container the address of the balancer', () => {
    const [{ subnet, ip_range }] = networks.default.ipam.config;
    expect([covers(subnet, address), covers(ip_range, address)]).toEqual([true, false]);
  });
});

describe('the Kubernetes manifests', () => {
  interface Rule {
    ports: { port: string }[];
    from?: unknown[];
  }
  interface Manifest {
    kind: string;
    metadata: { name: string };
    spec: { ingress: Rule[] };
  }
  const manifests = parseAllDocuments(read('deploy/kubernetes/fairline.yaml')).map((one) => one.toJS() as Manifest);
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const rules = policies.flatMap(({ spec }) => spec.ingress);
  const isForVisitors = ({ ports }: Rule) => ports.some(({ port }) => port === 'http');

  it('admit only the ingress controller from the network that TRUST_PROXY names', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    const named = policies.map(({ metadata }) => metadata.name);
    expect(deployments.filter((name) => !named.includes(name))).toEqual([]);
    expect(rules.every(({ from }) => (from?.length ?? 0) > 0)).toBe(true);
    expect(rules.filter(isForVisitors).length).toBeGreaterThan(1);
    for (const { from } of rules.filter(isForVisitors)) {
      expect(from).toEqual([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'ingress-nginx' } },
        },
      ]);
    }
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain('- fairline.yaml');
  });
});

describe('the shipped configurations and recipes', () => {
  const files = [
    ...readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' }).map((path) => `deploy/${path}`),
    ...readdirSync(join(root, 'docs/guides')).map((path) => `docs/guides/${path}`),
  ].filter((path) => /\.(conf|md|yaml)$/.test(path));

  it('never extend the X-Forwarded-For of a visitor, and trust no wide range', () => {
    expect(files.length).toBeGreaterThan(20);
    for (const path of files) {
      const text = read(path);
      expect(text, path).not.toContain('$proxy_add_x_forwarded_for');
      expect(text, path).not.toMatch(/TRUST_PROXY\W+[\d.]+\/(\d|1[0-5])\b/);
    }
  });
});

describeWithNginx('the nginx of compose.yaml', () => {
  it('overwrites what a visitor says about address, host and scheme', async () => {
    const { url, asked } = await startSite();
    const port = await freePort();
    const config = read('deploy/compose/nginx.conf')
      .replace(/(line-1|line-2|shop):3000/g, new URL(url).host)
      .replace('listen 80', `listen ${port}`);
    await startNginx(config, `http://127.0.0.1:${port}`);
    for (const target of ['/queue/concert', '/api/seats/1', '/me']) {
      asked.length = 0;
      await sendRaw(`http://127.0.0.1:${port}`, { target, headers: claims });
      const { headers } = asked[0]!;
      expect(headers, target).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'shop.example',
        'x-forwarded-proto': 'http',
      });
      expect(headers.forwarded, target).toBeUndefined();
    }
  });

  it('does not give a visitor who claims many addresses many shares of a limit', async () => {
    const env = { ...secrets, TRUST_PROXY: '127.0.0.1', LIMIT_GUEST_JOIN_PER_IP: '3' };
    const line = await runApp({ env });
    const port = await freePort();
    const config = read('deploy/compose/nginx.conf')
      .replace(/(line-1|line-2|shop):3000/g, new URL(line.url).host)
      .replace('listen 80', `listen ${port}`);
    await startNginx(config, `http://127.0.0.1:${port}`);
    const statuses: number[] = [];
    for (let n = 1; n <= 8; n += 1) {
      const headers: HeaderList = [['X-Forwarded-For', `203.0.113.${n}`]];
      const request = { method: 'POST', target: '/api/queue/check/concert', headers };
      statuses.push(await sendRaw(`http://127.0.0.1:${port}`, request));
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(3);
  });
});

describe('the fetch handler', () => {
  const forwarded = async (options: { clientAddressHeader?: string }) => {
    const sent: Request[] = [];
    const send = async (request: Request) => {
      sent.push(request);
      return new Response('');
    };
    const handle = createFetchHandler({ secrets: {}, fetch: send as typeof fetch, ...options });
    const headers = new Headers([
      ...claims,
      ['Proxy', 'http://forged.example'],
      ['X-Real-IP', CLAIMED],
      ['True-Client-IP', CLAIMED],
      ['Connection', 'keep-alive, X-Hop'],
      ['X-Hop', '1'],
      ['TE', 'trailers'],
      ['Proxy-Authorization', 'Basic x'],
      ['CF-Connecting-IP', '198.51.100.7'],
      ['X-Harmless', 'kept'],
    ]);
    await handle(new Request('https://shop.example/public', { headers }));
    return Object.fromEntries(sent[0]!.headers);
  };
  const ours = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https', 'x-harmless': 'kept' };

  it('passes on no address, proxy or hop-by-hop header of the visitor', async () => {
    expect(await forwarded({})).toEqual(ours);
  });

  it('sends the address that the runtime has found', async () => {
    const headers = await forwarded({ clientAddressHeader: 'cf-connecting-ip' });
    expect(headers).toEqual({ ...ours, 'x-forwarded-for': '198.51.100.7' });
  });
});

function covers(range: string, address: string): boolean {
  const [base = '', bits] = range.split('/');
  const list = new BlockList();
  list.addSubnet(base, Number(bits));
  return list.check(address);
}

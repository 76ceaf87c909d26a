import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type CloudFrontRequest,
  type CloudFrontResponse,
  createEdgeHandler,
  type EdgeHandler,
} from '../../lambda/edge-queue-check.ts';
import { createVisitor } from '../gate/proxy/run-gate.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDN = 'cdn-secret-of-the-tests-0123456789abcdef';
const SEATS = '/api/v1/seats/events/concert';
const config = {
  secrets: {
    entry: secrets.QUEUE_ENTRY_TOKEN_SECRET,
    vwr: secrets.VWR_TOKEN_SECRET,
    auth: secrets.AUTH_JWT_SECRET,
    cdn: CDN,
  },
  vwrEvents: ['concert'],
};

function ask(handler: EdgeHandler, uri: string, headers: Record<string, string> = {}, querystring = '') {
  const cloudFront = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [{ key: name, value }]]);
  const request = { method: 'GET', uri, querystring, headers: Object.fromEntries(cloudFront), clientIp: '203.0.113.7' };
  return handler({ Records: [{ cf: { request } }] }) as Promise<CloudFrontRequest & CloudFrontResponse>;
}

async function refusesAndPasses(handler: EdgeHandler): Promise<void> {
  const page = await ask(handler, '/events/concert');
  expect([page.status, page.headers.location]).toEqual([
    '302',
    [{ key: 'location', value: '/vwr/concert?to=%2Fevents%2Fconcert' }],
  ]);
  const sent = { host: 'shop.example', referer: 'https://shop.example/events/concert?row=4' };
  expect(JSON.parse((await ask(handler, SEATS, sent)).body).redirectTo).toBe(
    '/vwr/concert?to=%2Fevents%2Fconcert%3Frow%3D4',
  );
  const api = await ask(handler, SEATS);
  expect([api.status, JSON.parse(api.body).redirectTo]).toEqual(['403', '/vwr/concert']);
  expect(api.headers['cache-control']?.[0]?.value).toBe('no-store');
  const { hasWaited } = createVisitor();
  const passed = await ask(handler, SEATS, hasWaited, 'row=1');
  expect(passed).toMatchObject({ uri: SEATS, querystring: 'row=1', method: 'GET', clientIp: '203.0.113.7' });
}

describe('the gate in Lambda@Edge', () => {
  const handler = createEdgeHandler(config);

  it('refuses requests without tokens and passes those with', () => refusesAndPasses(handler));

  it('forwards the normalized path and refuses an ambiguous one', async () => {
    const { hasWaited } = createVisitor();
    expect((await ask(handler, '/api/v1/%73eats/events/concert', hasWaited)).uri).toBe(SEATS);
    expect((await ask(handler, '/api/v1//seats', hasWaited)).status).toBe('400');
  });

  it('vouches to the origin for requests that it has checked, and strips spoofed headers', async () => {
    const spoofed = { 'X-CloudFront-Verified': CDN.slice(1), 'X-User-Id': 'admin' };
    const { headers } = await ask(handler, SEATS, { ...createVisitor().hasWaited, ...spoofed });
    expect(headers['x-cloudfront-verified']).toEqual([{ key: 'x-cloudfront-verified', value: CDN }]);
    expect(headers).not.toHaveProperty('x-user-id');
    expect((await ask(handler, '/logo.svg', spoofed)).headers).toEqual({});
  });
});

describe('npm run bundle:edge', () => {
  const bundle = (content: object) => {
    const folder = tempFolder();
    const [from, to] = [join(folder, 'config.json'), join(folder, 'index.mjs')];
    writeFileSync(from, JSON.stringify(content));
    execFileSync(process.execPath, [join(ROOT, 'scripts/bundle-edge.mjs'), from, to], { stdio: 'pipe' });
    return to;
  };

  it('creates one self-contained file below the size limit, readable by its owner only', async () => {
    const file = bundle(config);
    expect(statSync(file).size).toBeLessThan(200_000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { handler } = await import(pathToFileURL(file).href);
    await refusesAndPasses(handler);
  });

  it('rejects invalid rules', () => {
    expect(() => bundle({ ...config, rules: { rules: [{ path: 'x' }], otherwise: 'pass' } })).toThrow(
      /rules\[0\]\.path/,
    );
  });
});

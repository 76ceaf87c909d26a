/** One gate in front of several sites. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startGate } from '../../../src/compose/gate-process.ts';
import { readGateConfig } from '../../../src/config/read-config.ts';
import { createSiteTable } from '../../../src/gate/proxy/site-table.ts';
import { sendRaw, toRequest } from '../../support/raw-http.ts';
import { startSite } from '../../support/site.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ask, runGate } from './run-gate.ts';

const entryRule = (path: string) => ({ path, require: 'entry', answer: 'page' });
const book = (...rules: object[]) => ({ otherwise: 'pass', rules });

function writeSites(sites: unknown): string {
  const path = join(tempFolder(), 'sites.json');
  writeFileSync(path, JSON.stringify(sites));
  return path;
}

async function startTwo() {
  const [shop, club] = [await startSite(), await startSite()];
  const sites = [
    {
      hosts: ['shop.example', '*.shop.example'],
      upstream: shop.url,
      rules: book(entryRule('/buy/{eventId}'), { path: '/api/{eventId}/orders', require: 'entry' }),
      target: '/landing/{eventId}?from=line',
    },
    { hosts: ['CLUB.example'], upstream: club.url, rules: book(entryRule('/door/{eventId}')) },
  ];
  const gate = await runGate({ GATE_SITES_FILE: writeSites({ sites }) });
  return { shop, club, ...gate };
}

describe('a gate in front of several sites', () => {
  it('sends each host to its site, whatever the case, the port or a final dot', async () => {
    const { url, shop, club } = await startTwo();
    for (const host of ['shop.example', 'SHOP.example:8000', 'www.shop.example', 'a.b.shop.example', 'shop.example.']) {
      expect((await ask(url, '/', { headers: { host } })).json.headers.host).toBe(host);
    }
    expect([shop.asked.length, club.asked.length]).toEqual([5, 0]);
    expect((await ask(url, '/', { headers: { host: 'club.example' } })).status).toBe(200);
    expect(club.asked).toHaveLength(1);
  });

  it('applies the rules of each site to it alone', async () => {
    const { url, shop, club, hasWaited } = await startTwo();
    const to = async (host: string, path: string) => (await ask(url, path, { headers: { host } })).status;
    expect(await to('shop.example', '/buy/concert')).toBe(302);
    expect(await to('club.example', '/buy/concert')).toBe(200);
    expect(await to('shop.example', '/door/concert')).toBe(200);
    expect(await to('club.example', '/door/concert')).toBe(302);
    expect([shop.asked, club.asked].map((asked) => asked.length)).toEqual([1, 1]);
    expect((await ask(url, '/buy/concert', { headers: { ...hasWaited, host: 'shop.example' } })).status).toBe(200);
  });

  it('reads the secrets that the rules of a site name', async () => {
    const site = await startSite();
    const file = join(tempFolder(), 'monitor-secret');
    writeFileSync(file, 'the-secret-of-the-monitor\n');
    const access = [{ effect: 'bypass', header: { name: 'x-monitor', file } }];
    const rules = { ...book(entryRule('/buy/{eventId}')), access };
    const { url } = await runGate({
      GATE_SITES_FILE: writeSites({ sites: [{ hosts: ['shop.example'], upstream: site.url, rules }] }),
    });
    const statusWith = async (secret: string) =>
      (await ask(url, '/buy/concert', { headers: { host: 'shop.example', 'x-monitor': secret } })).status;
    expect(await statusWith('the-secret-of-the-monitor')).toBe(200);
    expect(await statusWith('another-secret-of-nobody')).toBe(302);
  });

  it('refuses a host that no site has with 421, before anything reaches a site', async () => {
    const { url, shop, club } = await startTwo();
    for (const host of ['other.example', 'notshop.example', 'example', 'www.club.example', '127.0.0.1']) {
      expect(await ask(url, '/', { headers: { host } })).toMatchObject({
        status: 421,
        json: { error: { code: 'UNKNOWN_HOST' } },
      });
    }
    const upgrade = ['Host: other.example', 'Connection: Upgrade', 'Upgrade: websocket'];
    expect((await sendRaw(url, toRequest('GET /', upgrade))).status).toBe(421);
    expect([shop.asked, club.asked]).toEqual([[], []]);
  });

  it('is not led to another site by X-Forwarded-Host', async () => {
    const { url, shop } = await startTwo();
    const headers = { host: 'club.example', 'x-forwarded-host': 'shop.example' };
    expect((await ask(url, '/buy/concert', { headers })).status).toBe(200);
    expect(shop.asked).toEqual([]);
  });

  it('names the target of the site in a refusal that names no page', async () => {
    const { url } = await startTwo();
    const headers = { host: 'shop.example' };
    const wanted = new URL((await ask(url, '/api/concert/orders', { headers })).json.redirectTo, url);
    expect([wanted.pathname, wanted.searchParams.get('to')]).toEqual(['/queue/concert', '/landing/concert?from=line']);
  });

  it('shares the connections of sites that have the same upstream', async () => {
    const site = await startSite();
    const sites = ['a.example', 'b.example'].map((host) => ({ hosts: [host], upstream: site.url }));
    const { url } = await runGate({ GATE_SITES_FILE: writeSites({ sites }) });
    const ports = new Set<number | undefined>();
    site.server.on('request', ({ socket }) => ports.add(socket.remotePort));
    for (const host of ['a.example', 'b.example', 'a.example']) await ask(url, '/', { headers: { host } });
    expect(ports.size).toBe(1);
  });
});

describe('the file of sites', () => {
  const good = { hosts: ['a.example'], upstream: 'http://127.0.0.1:8080' };
  const start = (sites: unknown, env: Record<string, string> = {}) =>
    startGate(readGateConfig({ GATE_SITES_FILE: writeSites(sites), PORT: '0', ...env }, {}), 'test');

  it.each([
    ['sites must be a list of 1 to 1000 sites', { sites: [] }],
    ['site is not a known field', { site: [good] }],
    ['sites[0].hosts must be a list of 1 to 100 host names', { sites: [{ ...good, hosts: [] }] }],
    ['sites[0].hosts[1] must be a host name without a port', { sites: [{ ...good, hosts: ['a.example', 'b:80'] }] }],
    ['sites[0].hosts[0] must be a host name', { sites: [{ ...good, hosts: ['a.*.example'] }] }],
    ['sites[1].hosts[0] repeats a.example', { sites: [good, { ...good, hosts: ['A.example'] }] }],
    ['sites[0].upstream must be an http or https origin', { sites: [{ ...good, upstream: 'http://a/b' }] }],
    ['sites[0].target must be a path', { sites: [{ ...good, target: '//evil.example' }] }],
    ['sites[0].target must be a path', { sites: [{ ...good, target: 'https://evil.example' }] }],
    ['sites[0].rule is not a known field', { sites: [{ ...good, rule: 1 }] }],
    [
      'sites[0].rules: rules[0].path must be a path',
      { sites: [{ ...good, rules: book({ path: 'x', require: 'none' }) }] },
    ],
  ])('is refused with an error that names the field: %s', async (message, sites) => {
    await expect(start(sites)).rejects.toThrow(message);
  });

  it('excludes GATE_UPSTREAM', async () => {
    await expect(start({ sites: [good] }, { GATE_UPSTREAM: 'http://a' })).rejects.toThrow('are both set');
  });
});

describe('the table of hosts', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,3}$/);
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

  it('prefers an exact host, then the longest pattern', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), name, fc.boolean(), (names, host, isUpper) => {
        const hosts = names.map((text, i) => (i % 2 === 0 ? text : `*.${text}`));
        const find = createSiteTable(hosts.map((one) => ({ hosts: [one] })));
        const fits = hosts
          .filter((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : one === host))
          .sort((a, b) => Number(a.startsWith('*')) - Number(b.startsWith('*')) || b.length - a.length);
        const asked = `${isUpper ? host.toUpperCase() : host}:8080`;
        expect(find(asked)?.hosts[0]).toBe(fits[0]);
      }),
    );
  });
});

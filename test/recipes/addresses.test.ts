/** Whose address counts: visitors behind each recipe have their own, and a missing TRUST_PROXY is noticed. */
import { describe, expect, it, vi } from 'vitest';
import { checkProxies } from '../../src/doctor/check-proxies.ts';
import { readFindings, writeFinding } from '../../src/identity/address-findings-file.ts';
import { type AddressFinding, AddressWatch } from '../../src/identity/address-watch.ts';
import { ask } from '../gate/proxy/run-gate.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestApp, secrets } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';
import { joinFromMany } from './joins.ts';
import { recipesHere } from './recipes.ts';

describe.each(recipesHere)('$name', ({ start }) => {
  const limited = { ...secrets, LIMIT_GUEST_JOIN_PER_IP: '30' };
  const startBoth = async (env: Record<string, string>) => {
    const dataDir = tempFolder();
    const line = await runApp({ env: { ...limited, ...env }, dataDir });
    const site = await startSite();
    const url = await start({ fairline: new URL(line.url).host, site: new URL(site.url).host });
    return { line, url, dataDir };
  };

  it('lets 100 guests from 100 addresses join at once, with TRUST_PROXY as the guide says', async () => {
    const { line, url } = await startBoth({ TRUST_PROXY: '127.0.0.1' });
    const statuses = await joinFromMany(url, 'concert', 100);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(line.context.addressWatch.list()).toEqual([]);
  });

  it('is noticed without TRUST_PROXY, in the overview of operators and by the doctor', async () => {
    const { line, url, dataDir } = await startBoth({});
    const statuses = await joinFromMany(url, 'concert', 45);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
    const headers = { authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
    const { json } = await ask(line.url, '/api/admin/overview', { headers });
    const seen = { cause: 'untrusted_proxy', address: '127.0.0.1', trustProxy: '127.0.0.1' };
    expect(json.addressFindings).toEqual([seen]);
    const findings = await until('the finding to be kept', async () => {
      const kept = await readFindings(dataDir);
      return kept.length > 0 ? kept : undefined;
    });
    expect(checkProxies([], findings, Date.now())).toMatchObject([
      { what: 'TRUST_PROXY', state: 'warning', advice: expect.stringContaining('set TRUST_PROXY=127.0.0.1;') },
    ]);
    expect(checkProxies(['127.0.0.0/8'], findings, Date.now())).toEqual([]);
  });
});

describe('the address watch', () => {
  const create = (trustProxy: string[] = []) => {
    const clock = createTestClock();
    const told: AddressFinding[] = [];
    const watch = new AddressWatch({ trustProxy, clock, onFinding: (finding) => told.push(finding) });
    const note = (ip: string, forwarded?: string) => {
      const request = { ip, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } };
      watch.noteJoin(request);
      watch.noteGuest(request);
    };
    const causes = () => watch.list().map(({ cause, address, trustProxy: value }) => [cause, address, value]);
    return { clock, watch, told, note, causes };
  };

  it('reports a private proxy that is not trusted, and adds it to the proxies that are', () => {
    const { note, causes } = create(['10.0.0.1']);
    note('198.51.100.7', '198.51.100.7');
    note('::ffff:10.0.0.2', '198.51.100.7');
    expect(causes()).toEqual([['untrusted_proxy', '10.0.0.2', '10.0.0.1,10.0.0.2']]);
  });

  it('reports a public proxy only after many visitors: networks of visitors send the header too', () => {
    const { note, causes } = create();
    for (let n = 0; n < 19; n += 1) note('203.0.113.9', '192.168.0.4');
    expect(causes()).toEqual([]);
    note('203.0.113.9', '192.168.0.5');
    expect(causes()).toEqual([['untrusted_proxy', '203.0.113.9', '203.0.113.9']]);
  });

  it('reports many guests of one private address, and a trusted proxy that names no visitor', () => {
    const { note, causes } = create(['10.0.0.1']);
    for (let n = 0; n < 20; n += 1) note('203.0.113.9');
    for (let n = 0; n < 20; n += 1) note('172.17.0.1');
    for (let n = 0; n < 20; n += 1) note('10.0.0.1');
    expect(causes()).toEqual([
      ['shared_address', '172.17.0.1', '10.0.0.1,172.17.0.1'],
      ['silent_proxy', '10.0.0.1', '10.0.0.1'],
    ]);
  });

  it('tells once an hour per cause, and forgets an hour after it was seen last', () => {
    const { clock, note, told, watch } = create();
    for (let n = 0; n < 50; n += 1) note('10.0.0.2', '198.51.100.7');
    expect(told).toHaveLength(1);
    clock.advance(3_600_000);
    note('10.0.0.2', '198.51.100.7');
    expect(told).toHaveLength(2);
    clock.advance(3_600_001);
    expect(watch.list()).toEqual([]);
  });

  it('writes one line to the log', async () => {
    const { app, context } = await createTestApp();
    const warn = vi.spyOn(context.log, 'warn');
    await context.line.rooms.putRoom('concert', {});
    for (let n = 0; n < 3; n += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}` };
      await app.inject({ method: 'POST', url: '/api/queue/check/concert', headers });
    }
    expect(warn.mock.calls).toEqual([[expect.anything(), expect.stringContaining('set TRUST_PROXY=127.0.0.1;')]]);
  });
});

describe('the doctor on TRUST_PROXY', () => {
  it.each(['0.0.0.0/0', '::/0', '0.0.0.0/1'])('warns of %s', (range) => {
    expect(checkProxies([range, '10.0.0.0/8'], [], 0)).toMatchObject([
      { state: 'warning', found: expect.stringContaining(range) },
    ]);
  });

  it('keeps findings of other causes, drops old ones, and reads no file that is damaged', async () => {
    const folder = tempFolder();
    expect(await readFindings(folder)).toEqual([]);
    const found = { address: '10.0.0.2', trustProxy: '10.0.0.2', at: 1_000 };
    await writeFinding(folder, { ...found, cause: 'untrusted_proxy' });
    await writeFinding(folder, { ...found, cause: 'shared_address' });
    await writeFinding(folder, { ...found, cause: 'untrusted_proxy', at: 90_000_000 });
    const findings = await readFindings(folder);
    expect(findings.map(({ cause }) => cause).sort()).toEqual(['shared_address', 'untrusted_proxy']);
    expect(checkProxies([], findings, 90_000_000)).toHaveLength(1);
  });
});

/** A visitor's path through `fairline gate` to a site, with the line in another process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, writeRules } from '../gate/proxy/run-gate.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { runProgram, type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { createSharedLine, setRoom } from '../support/shared-line.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const SEATS = '/api/seats/events/concert';
const strictRules = { rules: [{ path: '/buy/{eventId}', require: 'entry', strict: true }], otherwise: 'pass' };

async function waitsAndPasses(line: ServerProcess): Promise<void> {
  await setRoom(line, { maxActive: 1 });
  const site = await startSite();
  const words = ['--upstream', site.url, '--line', line.url, '--port', '0'];
  const gate = await startGateProcess(words);
  await until(
    'the gate to learn that tier 1 is off',
    async () => (await ask(gate.url, '/events/concert')).status === 200,
  );
  site.asked.length = 0;

  const without = await gate.ask('GET', SEATS, { user: 'mina' });
  expect([without.status, without.body.redirectTo]).toEqual([403, '/queue/concert']);
  expect(site.asked).toEqual([]);

  // The gate also forwards requests about waiting to the line.
  const { entryToken } = (await gate.ask('POST', '/api/queue/check/concert', { user: 'mina' })).body;
  const waiting = (await gate.ask('POST', '/api/queue/check/concert', { user: 'jun' })).body;
  expect([typeof entryToken, waiting.status]).toEqual(['string', 'queued']);
  const present = (user: string, url = gate.url, path = SEATS) =>
    ask(url, path, { headers: { authorization: `Bearer ${gate.userToken(user)}`, 'x-queue-entry-token': entryToken } });
  expect(await present('mina')).toMatchObject({ status: 200, json: { url: SEATS } });
  expect((await present('jun')).status).toBe(403);

  // A strict rule refuses as soon as the visitor leaves; a plain one trusts the token until it expires.
  const strict = await startGateProcess([...words, '--rules', writeRules(strictRules)]);
  expect((await present('mina', strict.url, '/buy/concert')).status).toBe(200);
  await gate.ask('POST', '/api/queue/leave/concert', { user: 'mina' });
  expect((await present('mina', strict.url, '/buy/concert')).status).toBe(403);
  expect((await present('mina')).status).toBe(200);

  expect(await gate.kill('SIGTERM')).toBe(0);
  expect(gate.output()).not.toContain(entryToken);
}

describe('fairline gate', () => {
  it('passes only visitors who have waited in an embedded line', async () => {
    await waitsAndPasses(await startServer({ DATA_DIR: tempFolder() }));
  });

  it('needs no secrets in settings with the line’s secrets.json', async () => {
    const dataDir = tempFolder();
    const none = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));
    const line = await startServer({ ...none, DATA_DIR: dataDir, DEMO: 'on' });
    const site = await startSite();
    const rules = writeRules({ rules: [{ path: '/shop/{eventId}/**', require: 'entry' }], otherwise: 'pass' });
    const words = ['--upstream', site.url, '--line', line.url, '--rules', rules, '--port', '0'];
    const gate = await startGateProcess([...words, '--secret-file', join(dataDir, 'secrets.json')], none);
    const joined = await gate.ask('POST', '/api/queue/check/demo-concert');
    const cookie = joined.headers['set-cookie']!.map((text) => text.split(';')[0]).join('; ');
    expect((await gate.ask('GET', '/shop/demo-concert/seats/12')).status).toBe(403);
    expect((await gate.ask('GET', '/shop/demo-concert/seats/12', { headers: { cookie } })).status).toBe(200);
  });

  it('names the file that has no secrets, and never quotes it', async () => {
    const file = join(tempFolder(), 'secrets.json');
    writeFileSync(file, 'top-secret-value');
    const { code, output } = await runProgram(['gate', '--upstream', 'http://127.0.0.1:9', '--secret-file', file]);
    expect([code, output]).toEqual([2, expect.stringContaining(`--secret-file ${file}: not a JSON object`)]);
    expect(output).not.toContain('top-secret');
  });

  it('serves health and metrics on a separate port, and no path of its own on the main port', async () => {
    const site = await startSite();
    const statusPort = await freePort();
    const gate = await startGateProcess(['--upstream', site.url], {
      GATE_STATUS_PORT: String(statusPort),
      GATE_VWR_EVENTS: 'all',
    });
    const status = `http://127.0.0.1:${statusPort}`;
    await ask(gate.url, SEATS);
    expect(await ask(status, '/health')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const metrics = await (await fetch(`${status}/metrics`)).text();
    expect(metrics).toMatch(/fairline_gate_decisions_total\{outcome="deny",code="VWR_REQUIRED"\} 1/);
    expect((await fetch(`${status}/elsewhere`)).status).toBe(404);
    expect((await ask(gate.url, '/health')).json).toMatchObject({ url: '/health' });
    expect(await gate.kill('SIGTERM')).toBe(0);
  });

  it('explains missing settings, invalid rules, and an unknown option', async () => {
    const missing = await runProgram(['gate']);
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringMatching(/GATE_UPSTREAM \(--upstream\) is not set/),
    ]);
    const unknown = await runProgram(['gate', '--upstraem', 'http://127.0.0.1:1']);
    expect([unknown.code, unknown.output]).toEqual([2, expect.stringMatching(/Unknown option '--upstraem'/)]);
    const rules = writeRules({ rules: [{ path: '/a', require: 'some' }] });
    const wrong = await runProgram(['gate', '--upstream', 'http://127.0.0.1:1', '--rules', rules]);
    expect(wrong.output).toMatch(/otherwise must be "pass" or "deny"; rules\[0\]\.require must be one of/);
    expect(wrong.output).not.toMatch(/^ {4}at /m);
  });
});

describeWithRedis('fairline gate with lines in Redis', () => {
  it('passes only visitors who have waited', async () => {
    const line = await createSharedLine();
    await waitsAndPasses(await line.start('line,admitter'));
  });
});

/** The configuration in docs/guides/gate-proxies.md, in a real Caddy in front of a plain site. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { blocksOfKind } from '../docs/blocks.ts';
import { isThere } from '../support/debian-install.ts';
import { freePort } from '../support/free-port.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { ask } from './proxy/run-gate.ts';

const SEATS = '/api/seats/events/concert';
const [block] = blocksOfKind('caddy');
const isMissing = !isThere('caddy') && process.env.CI !== 'true';

describe.skipIf(isMissing)('Caddy with the gate (Debian: apt-get install caddy)', () => {
  it('refuses requests without a token, passes admitted visitors, and cannot be bypassed', async () => {
    const fairline = await runApp({ env: secrets, room: { maxActive: 1 } });
    await fairline.context.line.rooms.putRoom('festival', {});
    await fairline.context.tier1.switching.activate('festival');
    const site = await startSite();
    const url = await startCaddy({ fairline: new URL(fairline.url).host, site: new URL(site.url).host });
    site.asked.length = 0;

    expect((await ask(url, SEATS)).json).toMatchObject({ redirectTo: '/queue/concert' });
    expect(await ask(url, '/events/festival')).toMatchObject({ status: 302, headers: { location: '/vwr/festival' } });
    for (const path of ['/api%2fseats/1', '/vwr/../api/seats/1', '//api/seats/1', '/API/Seats/1']) {
      expect([400, 403], path).toContain((await ask(url, path)).status);
    }
    const described = { 'x-original-uri': '/health', 'x-original-method': 'GET', 'x-forwarded-uri': '/health' };
    expect((await ask(url, SEATS, { headers: described })).status).toBe(403);
    expect(site.asked).toEqual([]);

    const joined = await ask(url, '/api/queue/check/concert', { method: 'POST' });
    const cookie = [joined.headers['set-cookie'] ?? []]
      .flat()
      .map((text) => text.split(';')[0])
      .join('; ');
    const passed = await ask(url, SEATS, { headers: { cookie, 'x-user-id': 'admin' } });
    expect(passed.json).toMatchObject({ url: SEATS, headers: { 'x-user-id': expect.stringMatching(/^(?!admin)./) } });
  });
});

async function startCaddy({ fairline, site }: { fairline: string; site: string }): Promise<string> {
  const folder = tempFolder();
  const port = await freePort();
  const config = block!.text
    .replace(':8080', `:${port}`)
    .replaceAll('127.0.0.1:3000', fairline)
    .replaceAll('127.0.0.1:8081', site);
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${config}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const url = `http://127.0.0.1:${port}`;
  await until('Caddy to listen', async () => {
    if (child.exitCode !== null) throw new Error(`Caddy stopped: ${output}`);
    return fetch(url).then(
      () => true,
      () => false,
    );
  });
  return url;
}

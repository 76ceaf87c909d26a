/**
 * What a newcomer types to protect a site, one command after the other, for each way to run the gate. The commands are
 * counted and timed; the table is printed at the end.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasCaddy } from '../support/caddy-server.ts';
import { isThere } from '../support/debian-install.ts';
import { freePort } from '../support/free-port.ts';
import { hasHaproxy } from '../support/haproxy-server.ts';
import { startNginx } from '../support/nginx-server.ts';
import { traefik } from '../support/traefik-server.ts';
import { type Block, blocksOfKind, root } from './blocks.ts';
import { createClone } from './clone.ts';

const FILES = [
  'nginx/gate.conf',
  'caddy/Caddyfile',
  'haproxy/haproxy.cfg',
  'haproxy/fairline.lua',
  'traefik/gate.yaml',
  'sample-site/server.mjs',
  'sample-site/rules.json',
];
/** By a word of its commands. */
const programs = [
  { name: 'nginx', word: 'sudo nginx', isHere: isThere('nginx') || process.env.CI === 'true' },
  { name: 'Caddy', word: 'caddy run', isHere: hasCaddy },
  { name: 'HAProxy', word: 'haproxy -C', isHere: hasHaproxy },
  // Debian has no package; scripts/test-traefik.mjs runs it with a binary.
  ...(traefik === undefined ? [] : [{ name: 'Traefik', word: 'traefik --', isHere: true }]),
  { name: 'fairline gate', word: 'npx fairline gate', isHere: true },
];
const blocks = blocksOfKind('newcomer');
const rows: string[] = [];
afterAll(() => console.log(['recipe: commands, seconds (installed and built)', ...rows].join('\n')));

describe.each(programs)('the commands for $name', ({ name, word, isHere }) => {
  const block = blocks.find(({ text }) => text.includes(word));

  it.skipIf(!isHere)('protect a site in at most six', async () => {
    const commands = commandsOf(block!);
    expect(commands.length).toBeLessThanOrEqual(6);
    const ports = { line: await freePort(), proxy: await freePort(), site: await freePort() };
    const clone = createClone();
    onTestFinished(() => clone.remove());
    const nginxFolder = join(clone.folder, 'etc-nginx');
    const here = (text: string) =>
      text
        .replaceAll('/etc/nginx', nginxFolder)
        .replaceAll(':3000', `:${ports.line}`)
        .replaceAll(/:8080|:8000|(?<=--port )8000/g, (found) => found.replace(/80.0/, `${ports.proxy}`))
        .replaceAll('8081', `${ports.site}`);
    for (const path of FILES) {
      const to = join(clone.folder, 'deploy', path);
      mkdirSync(join(to, '..'), { recursive: true });
      writeFileSync(to, here(readFileSync(join(root, 'deploy', path), 'utf8')));
    }
    if (name === 'nginx') {
      // nginx as Debian installs it, without sites.
      mkdirSync(join(nginxFolder, 'conf.d'), { recursive: true });
      await startNginx('include conf.d/*.conf;', undefined, nginxFolder);
    }

    const began = performance.now();
    const typed = clone.spawn(`set -eu\n${here(block!.text)}\nkill $(jobs -p)`, {
      PORT: `${ports.line}`,
      SHOP: 'off',
      NGINX_FOLDER: nginxFolder,
      LINE_PORT: `${ports.line}`,
      KEEP_SERVERS: 'yes',
      REAL_TRAEFIK: traefik ?? '',
    });
    const code = await typed.exited;
    rows.push(`${name}: ${commands.length}, ${((performance.now() - began) / 1000).toFixed(1)}`);
    const said = typed.output();
    expect([code, code === 0 ? '' : said]).toEqual([0, '']);
    expect(said).toMatch(/"entryToken":/);
    expect(said).toMatch(/Seat 12 of demo-concert[\s\S]*\?ref=mail[\s\S]*id="visitor">g/);
  });
});

/** A backslash continues a command on the next line. */
function commandsOf({ text }: Block): string[] {
  return text.replaceAll('\\\n', '').trim().split('\n');
}

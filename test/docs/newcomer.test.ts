/** The first commands of docs/guides/gate-nginx.md, typed one after the other on a machine with nginx. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { describeWithNginx, startNginx } from '../support/nginx-server.ts';
import { blocksOfKind, root } from './blocks.ts';
import { createClone } from './clone.ts';

const [block] = blocksOfKind('newcomer');

describeWithNginx('the commands of docs/guides/gate-nginx.md', () => {
  it('protect a site in under ten commands', async () => {
    const commands = block!.text.trim().split('\n');
    expect(commands.length).toBeLessThan(10);
    const [line, proxy, site] = [await freePort(), await freePort(), await freePort()];
    const clone = createClone();
    onTestFinished(() => clone.remove());
    // nginx as Debian installs it, without sites.
    const nginxFolder = join(clone.folder, 'etc-nginx');
    mkdirSync(join(nginxFolder, 'conf.d'), { recursive: true });
    await startNginx('include conf.d/*.conf;', undefined, nginxFolder);
    const here = (text: string) =>
      text
        .replaceAll('/etc/nginx', nginxFolder)
        .replaceAll(':3000', `:${line}`)
        .replaceAll(':8080', `:${proxy}`)
        .replace(/:8081|(?<=listen\()8081/g, (found) => found.replace('8081', `${site}`));
    const config = readFileSync(join(root, 'deploy/nginx/gate.conf'), 'utf8');
    writeFileSync(join(clone.folder, 'deploy/nginx/gate.conf'), here(config));

    const typed = clone.spawn(`set -eu\n${here(block!.text)}\nkill $(jobs -p)`, {
      PORT: `${line}`,
      SHOP: 'off',
      NGINX_FOLDER: nginxFolder,
      LINE_PORT: `${line}`,
    });
    const code = await typed.exited;
    const said = typed.output();
    expect([code, code === 0 ? '' : said]).toEqual([0, '']);
    expect(said).toMatch(/HTTP\/1.1 302[\s\S]*location: \/queue\/demo-concert/i);
    expect(said).toMatch(/"entryToken":/);
    expect(said.trimEnd()).toMatch(/the shop$/);
  });
});

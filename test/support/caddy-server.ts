/** A real Caddy in a temporary folder, stopped after the test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from './debian-install.ts';
import { startServer } from './start-server.ts';
import { tempFolder } from './temp-folder.ts';

export const hasCaddy = isThere('caddy') || process.env.CI === 'true';

/** `config`: the content of a Caddyfile, without global options. */
export async function startCaddy(config: string, url: string): Promise<void> {
  const folder = tempFolder();
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${config}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  await startServer({
    command: 'caddy',
    args: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    folder,
    env,
    url,
  });
}

/**
 * A real Traefik in a temporary folder, stopped after the test. There is no package of it, and compiling it takes minutes:
 * tests use the one in the PATH or in FAIRLINE_TRAEFIK.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from './debian-install.ts';
import { startServer } from './start-server.ts';
import { tempFolder } from './temp-folder.ts';

/** undefined if there is none. */
export const traefik = process.env.FAIRLINE_TRAEFIK ?? (isThere('traefik') ? 'traefik' : undefined);

/** `config`: the dynamic configuration in YAML. */
export async function startTraefik(config: string, url: string): Promise<void> {
  const folder = tempFolder();
  writeFileSync(join(folder, 'dynamic.yaml'), config);
  const options = {
    'entryPoints.web.address': new URL(url).host,
    'providers.file.filename': join(folder, 'dynamic.yaml'),
    'global.checkNewVersion': 'false',
    'global.sendAnonymousUsage': 'false',
    'log.level': 'ERROR',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  await startServer({ command: traefik!, args, folder, env: { PATH: process.env.PATH, HOME: folder }, url });
}

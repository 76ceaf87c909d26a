/** A real HAProxy in a temporary folder, stopped after the test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, serverEnv } from './debian-install.ts';
import { startServer } from './start-server.ts';
import { tempFolder } from './temp-folder.ts';

export const hasHaproxy = isThere('haproxy') || process.env.CI === 'true';

export interface HaproxyFiles {
  config: string;
  /** The script that the configuration loads as `fairline.lua`. */
  script: string;
}

export async function startHaproxy({ config, script }: HaproxyFiles, url: string): Promise<void> {
  const folder = tempFolder();
  writeFileSync(join(folder, 'haproxy.cfg'), config);
  writeFileSync(join(folder, 'fairline.lua'), script);
  await startServer({ command: 'haproxy', args: ['-C', folder, '-f', 'haproxy.cfg'], folder, env: serverEnv, url });
}

/** A real nginx for a test: on a folder of its own, stopped when it is over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, onTestFinished } from 'vitest';
import { isThere, serverEnv } from './debian-install.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

const HOW_TO_ENABLE = 'needs nginx in the PATH (Debian: apt-get install nginx-light)';

/** A suite that needs nginx: skipped by name where there is none, except in CI, where it fails. */
export function describeWithNginx(name: string, suite: () => void): void {
  if (isThere('nginx')) describe(name, suite);
  else if (process.env.CI === 'true') {
    describe(name, () => {
      it('has an nginx to run on', () => {
        throw new Error(HOW_TO_ENABLE);
      });
    });
  } else describe.skip(`${name}: ${HOW_TO_ENABLE}`, suite);
}

/** `site`: what stands in its `http` block. */
export async function startNginx(site: string, url: string): Promise<void> {
  const folder = tempFolder();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log stderr warn;
     events {}
     http { access_log off; ${temporary.join(' ')} include site.conf; }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    env: serverEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await until('nginx to listen', async () => {
    if (child.exitCode !== null) throw new Error(`nginx stopped: ${output}`);
    return fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
}

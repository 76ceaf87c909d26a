/** A real nginx in a temporary folder, stopped after the test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, onTestFinished } from 'vitest';
import { isThere, serverEnv } from './debian-install.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

const HOW_TO_ENABLE = 'needs nginx in the PATH (Debian: apt-get install nginx-light)';

/** A suite that needs nginx. Without it the suite is skipped with a reason; in CI it fails. */
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

/** `site`: the content of the `http` block. Without a `url` to poll, nginx counts as started once its pid file exists. */
export async function startNginx(site: string, url: string | undefined, folder = tempFolder()): Promise<void> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid nginx.pid; error_log stderr warn;
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
    child.kill('SIGTERM');
    await exited;
  });
  await until('nginx to listen', async () => {
    if (child.exitCode !== null) throw new Error(`nginx stopped: ${output}`);
    if (url === undefined) return existsSync(join(folder, 'nginx.pid'));
    return fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
}

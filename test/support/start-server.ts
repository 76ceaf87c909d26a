/** A server program that a test starts and stops. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

export interface ServerProgram {
  command: string;
  args: string[];
  /** Its working directory. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Responds once the server listens. */
  url: string;
}

export async function startServer({ command, args, folder, env, url }: ServerProgram): Promise<void> {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  await until(`${command} to listen`, async () => {
    if (child.exitCode !== null) throw new Error(`${command} stopped: ${output}`);
    return fetch(url, { redirect: 'manual' }).then(
      ({ status }) => status !== 404,
      () => false,
    );
  });
}

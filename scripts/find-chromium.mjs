/** Where Chromium is on this machine: for the tests, the pictures and the benchmark of the pages. */
import { spawnSync } from 'node:child_process';

export const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Its path; undefined where there is none. */
export function findChromium() {
  for (const name of BROWSERS) {
    const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

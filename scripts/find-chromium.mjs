/** Finds Chromium for the tests, the screenshots and the page benchmark. */
import { spawnSync } from 'node:child_process';

export const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Its path; undefined if it is not installed. */
export function findChromium() {
  for (const name of BROWSERS) {
    const { status, stdout } = spawnSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

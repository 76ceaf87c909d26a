/** The quick start and the tutorial: all blocks of a page, typed one after the other into one shell in a fresh clone. */
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { blocksOfKind } from './blocks.ts';
import { createClone } from './clone.ts';

const expected: Record<string, RegExp[]> = {
  'docs/quick-start.md': [/"status":"active"/, /"status":"queued"/, /location: \/queue\/demo-concert/i, /^the shop$/m],
  'docs/tutorial.md': [
    /location: \/queue\/night-concert\?to=%2Fshop%2Fnight-concert%2Fseats%2F12%3Fref%3Dmail/i,
    /"status":"queued"/,
    /Order taken for g/,
    /Welcome to \/shop\/night-concert\/seats\/12, g\S+\n(?![\s\S]*Welcome)/,
    /"action":/,
  ],
};

it.each(Object.entries(expected))(
  'the commands of %s work from the first to the last',
  async (page, patterns) => {
    const blocks = blocksOfKind('walkthrough').filter(({ where }) => where.startsWith(`${page}:`));
    const [line, gate, site, metrics] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const ports = { 3000: line, 8000: gate, 8081: site, 9464: metrics };
    const script = Object.entries(ports).reduce(
      (text, [shown, port]) =>
        text.replaceAll(new RegExp(`(?<=:|--port |listen\\(|METRICS_PORT=)${shown}\\b`, 'g'), `${port}`),
      blocks.map(({ text }) => text).join('\n'),
    );
    const clone = createClone();
    onTestFinished(() => clone.remove());
    const typed = clone.spawn(`set -euo pipefail\n${script}`, {
      PORT: `${line}`,
      LINE_PORT: `${line}`,
      KEEP_SERVERS: 'yes',
      LOG_LEVEL: 'warn',
    });
    const code = await typed.exited;
    const said = typed.output();
    expect([code, code === 0 ? '' : said]).toEqual([0, '']);
    for (const pattern of patterns) expect(said).toMatch(pattern);
  },
  180_000,
);

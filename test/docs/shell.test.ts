/**
 * The commands of the docs, run as written in a shell next to an instance started by `npm start`. Ports differ, and crowds
 * are a hundredth of the size (test/docs/bin).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isThere } from '../support/debian-install.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { blocksOfKind } from './blocks.ts';
import { type Clone, createClone, readSecrets } from './clone.ts';

const blocks = blocksOfKind('sh');

describeWithRedis('commands of the docs', () => {
  let clone: Clone;
  let redis: RedisServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    redis = await startRedis();
    clone = createClone();
    const npmStart = clone.spawn('exec npm start', { PORT: '0', LOG_LEVEL: 'warn' });
    const url = await until('npm start to listen', () => {
      if (!npmStart.isRunning()) throw new Error(npmStart.output());
      return /listens on (http\S+)/.exec(npmStart.output())?.[1];
    });
    env = {
      LINE_PORT: new URL(url).port,
      REDIS_PORT: new URL(redis.url).port,
      ADMIN_TOKEN: readSecrets(clone.folder).adminToken!,
    };
    await until('the demo event', async () => (await fetch(`${url}/api/events/demo-concert`)).ok);
  }, 120_000);
  afterAll(async () => {
    await clone.remove();
    await redis.stop();
  });

  it('need curl, jq, openssl and zip', () => {
    expect(['curl', 'jq', 'openssl', 'zip'].filter((program) => !isThere(program))).toEqual([]);
  });

  it.each(blocks.map(({ where, text }) => [where, text] as const))('work: %s', async (_where, text) => {
    for (const left of ['jar', 'edge.json', 'index.mjs']) rmSync(join(clone.folder, left), { force: true });
    const awaited = 'for job in $(jobs -p); do wait "$job"; done';
    const typed = clone.spawn(`set -euo pipefail\n${text}\n${awaited}`, { ...env, ...settingsFor(text) });
    const code = await typed.exited;
    expect([code, code === 0 ? '' : typed.output()]).toEqual([0, '']);
  });

  /** A gate and a rehearsal need the secrets that `npm start` generated; a reader would have set them. */
  function settingsFor(text: string): Record<string, string> {
    if (!/fairline (gate|rehearse)/.test(text)) return {};
    const { entryToken, vwrToken, auth, guest } = readSecrets(clone.folder);
    return {
      QUEUE_ENTRY_TOKEN_SECRET: entryToken!,
      VWR_TOKEN_SECRET: vwrToken!,
      AUTH_JWT_SECRET: auth!,
      GUEST_SECRET: guest!,
    };
  }
});

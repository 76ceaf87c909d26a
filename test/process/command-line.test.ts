import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, startServer } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

describe('fairline on the command line', () => {
  it('starts in an empty folder, generates secrets that only the owner can read, prints the token, and keeps both', async () => {
    const dir = tempFolder();
    const env = {
      DATA_DIR: dir,
      DEMO: 'on',
      ADMIN_TOKEN: '',
      AUTH_JWT_SECRET: '',
      QUEUE_ENTRY_TOKEN_SECRET: '',
      VWR_TOKEN_SECRET: '',
      GUEST_SECRET: '',
    };
    const tokenIn = (output: string) => /Bearer (\S+)/.exec(output)?.[1];
    const server = await startServer(env);
    const token = tokenIn(server.output());
    const rooms = await fetch(`${server.url}/api/admin/rooms`, { headers: { authorization: `Bearer ${token}` } });
    expect(await rooms.json()).toMatchObject([{ eventId: 'demo-concert', settings: { maxActive: 1000 } }]);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
    const again = await startServer(env);
    expect(tokenIn(again.output())).toBe(token);
    await again.kill('SIGTERM');
  });

  it('does not print a configured token', async () => {
    const server = await startServer({ DATA_DIR: tempFolder() });
    await server.kill('SIGTERM');
    expect(server.output()).not.toContain(secrets.ADMIN_TOKEN);
  });

  it('refuses a second process on the same folder, and starts there after the first was killed', async () => {
    const env = { DATA_DIR: tempFolder() };
    const first = await startServer(env);
    const second = await runProgram(['start'], { ...env, PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/is in use by process \d+\. Stop that one, or give this one another DATA_DIR/);
    await first.kill('SIGKILL');
    const third = await startServer(env);
    expect((await third.ask('GET', '/ready')).status).toBe(200);
    await third.kill('SIGTERM');
  });

  it('finishes requests in progress on SIGTERM, and answers 503 to later ones', async () => {
    const server = await startServer({ DATA_DIR: tempFolder() });
    await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 0 } });
    const joins = Array.from({ length: 200 }, (_, i) =>
      server.ask('POST', '/api/queue/check/concert', { user: `u${i}` }),
    );
    await Promise.race(joins);
    const code = server.kill('SIGTERM');
    const answers = (await Promise.allSettled(joins)).flatMap((join) =>
      join.status === 'fulfilled' ? [join.value] : [],
    );
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect(await code).toBe(0);
  });

  it('explains invalid settings, an unknown command, a port in use, and a damaged journal', async () => {
    const wrong = await runProgram(['start'], { QUEUE_THRESHOLD: 'lots', DATA_DIR: tempFolder() });
    expect(wrong.code).toBe(1);
    expect(wrong.output).toMatch(/QUEUE_THRESHOLD=lots: expected a whole number/);
    const unknown = await runProgram(['strat']);
    expect([unknown.code, unknown.output.split('\n')[0]]).toEqual([2, 'fairline: unknown command "strat"']);
    const half = await runProgram(['records', 'reply']);
    expect([half.code, half.output.split('\n')[0]]).toEqual([
      2,
      'fairline records: unknown subcommand "reply"; expected: replay',
    ]);
    const server = await startServer({ DATA_DIR: tempFolder() });
    const taken = await runProgram(['start'], { DATA_DIR: tempFolder(), PORT: new URL(server.url).port });
    expect([taken.code, taken.output]).toEqual([
      1,
      expect.stringMatching(/port already in use .*Set PORT to a free port/),
    ]);
    const dir = tempFolder();
    mkdirSync(join(dir, 'line'));
    writeFileSync(join(dir, 'line', 'snapshot-1'), 'not a snapshot\n');
    const damaged = await runProgram(['start'], { DATA_DIR: dir, PORT: '0' });
    expect(damaged.code).toBe(1);
    expect(damaged.output).toMatch(/snapshot-1 is damaged at byte 0/);
    expect((await runProgram(['help'])).output).toMatch(/Usage: fairline <command>/);
    expect((await runProgram(['version'])).output).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('says in one line which store it waits for, and listens meanwhile', async () => {
    const server = await startServer({ DATA_DIR: tempFolder(), REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'fatal' });
    const lines = await until(
      'the line',
      () => server.output().match(/^fairline: waiting for stores: .*$/gm) ?? undefined,
    );
    expect(lines).toEqual([expect.stringMatching(/Redis cannot be reached: .*ECONNREFUSED.*\/ready/)]);
    expect(server.output()).not.toMatch(/^ {4}at /m);
    expect(await server.kill('SIGTERM')).toBe(0);
  });

  it('applies a limit changed by the operator within two admission ticks', async () => {
    const server = await startServer({ DATA_DIR: tempFolder(), QUEUE_ADMISSION_INTERVAL_MS: '1000' });
    await server.ask('PUT', '/api/admin/rooms/concert', { operator: true, body: { maxActive: 0 } });
    await server.ask('POST', '/api/queue/check/concert', { user: 'a' });
    await server.ask('PUT', '/api/queue/admin/threshold/concert', { operator: true, body: { threshold: 1 } });
    const ticksBefore = await countTicks(server.url);
    const ticks = await until('the visitor to be admitted', async () => {
      const ticked = await countTicks(server.url);
      const { body } = await server.ask('GET', '/api/queue/status/concert', { user: 'a' });
      return body.status === 'active' && ticked - ticksBefore;
    });
    expect(ticks).toBeLessThanOrEqual(2);
    await server.kill('SIGTERM');
  });
});

/** Counting ticks instead of seconds keeps the test independent of the load of the machine. */
async function countTicks(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^fairline_tick_seconds_count (\d+)$/m.exec(metrics)?.[1]);
}

/** Bans, bypasses and staff passes with several processes on one Redis and a gate in a process of its own. */
import { describe, expect, it } from 'vitest';
import { ask, writeRules } from '../gate/proxy/run-gate.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { runProgram, type ServerProcess, startGateProcess, startServer } from '../support/server-process.ts';
import { createSharedLine, setRoom } from '../support/shared-line.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const JOIN = '/api/queue/check/concert';
const STATUS = '/api/queue/status/concert';
const ROOM = '/api/admin/rooms/concert';
const PAGE = '/shop/concert/seats';
const rules = { otherwise: 'pass', rules: [{ path: '/shop/{eventId}/**', require: 'entry' }] };

async function startGateBefore(line: ServerProcess, env: Record<string, string> = {}) {
  const site = await startSite();
  const words = ['--upstream', site.url, '--line', line.url, '--port', '0', '--rules', writeRules(rules)];
  const gate = await startGateProcess(words, env);
  const codeFor = async (headers: Record<string, string>, path = PAGE) => {
    const { status, json } = await ask(gate.url, path, { headers });
    return status === 200 ? 'pass' : json.error.code;
  };
  const tokensOf = async (user: string) => {
    const { body } = await line.ask('POST', JOIN, { user });
    return { authorization: `Bearer ${line.userToken(user)}`, 'x-queue-entry-token': body.entryToken as string };
  };
  return { gate, site, codeFor, tokensOf };
}

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => body.error?.code ?? status;

describeWithRedis('a ban', () => {
  it('takes effect in the other process, in its streams and at a separate gate, and ends when it is lifted', async () => {
    const { start } = await createSharedLine();
    const [one, two] = await Promise.all([start('line,admitter,dispatcher,reaper'), start('line,sweeper')]);
    await setRoom(one!, { maxActive: 1 });
    const { codeFor, tokensOf } = await startGateBefore(two!);
    const mina = await tokensOf('mina');
    expect(await codeFor(mina)).toBe('pass');
    const eve = await two!.watch('concert', 'eve');
    await until('eve to wait', () => eve.events.some(({ name }) => name === 'position'));

    const banned = await one!.ask('POST', `${ROOM}/bans`, { operator: true, body: { visitor: 'mina' } });
    expect(banned.status).toBe(201);
    await one!.ask('POST', `${ROOM}/bans`, { operator: true, body: { visitor: 'eve', everywhere: true } });
    await until('the gate to refuse her token', async () => (await codeFor(mina)) === 'BANNED');
    await until(
      'the other process to refuse her',
      async () => codeOf(await two!.ask('GET', STATUS, { user: 'mina' })) === 'BANNED',
    );
    await until('the stream to say so', () =>
      eve.events.some(({ name, data }) => name === 'gone' && data.reason === 'banned'),
    );
    expect(codeOf(await two!.ask('POST', JOIN, { user: 'mina' }))).toBe('BANNED');

    const lifted = await two!.ask('DELETE', `${ROOM}/access/${banned.body.id}`, { operator: true });
    expect(lifted.status).toBe(200);
    await until(
      'the first process to let her join',
      async () => codeOf(await one!.ask('POST', JOIN, { user: 'mina' })) === 200,
    );
    const again = await tokensOf('mina');
    await until('the gate to let her pass', async () => (await codeFor(again)) === 'pass');
  });

  it('survives a crash of Redis and of the process', async () => {
    const { redis, start } = await createSharedLine();
    const one = await start('line');
    await setRoom(one, { maxActive: 5 });
    await one.ask('POST', `${ROOM}/bans`, { operator: true, body: { visitor: 'mina' } });
    await one.kill('SIGKILL');
    await redis.kill();
    await redis.start();
    const two = await start('line');
    expect(codeOf(await two.ask('POST', JOIN, { user: 'mina' }))).toBe('BANNED');
    expect(codeOf(await two.ask('POST', JOIN, { user: 'jun' }))).toBe(200);
  });

  it('and an ejection reach a waiting visitor who polls the other process', async () => {
    const { start } = await createSharedLine();
    const [one, two] = await Promise.all([start('line,admitter'), start('line')]);
    await setRoom(one!, { maxActive: 0 });
    for (const user of ['mina', 'jun']) await two!.ask('POST', JOIN, { user });
    // The other process now answers from memory.
    await until('a position', async () => (await two!.ask('GET', STATUS, { user: 'mina' })).body.position === 1);
    await one!.ask('POST', `${ROOM}/eject`, { operator: true, body: { visitor: 'mina' } });
    await until('her to be told', async () => (await two!.ask('GET', STATUS, { user: 'mina' })).body.removed === true);
    expect((await two!.ask('POST', JOIN, { user: 'mina' })).body.number).toBe(3);
  });
});

describe('on the embedded store', () => {
  it('bans survive kill -9; the gate keeps its list while the line is away, and follows it again afterwards', async () => {
    const env = { DATA_DIR: tempFolder(), PORT: String(await freePort()) };
    const line = await startServer(env);
    await setRoom(line, { maxActive: 5 });
    const { codeFor, tokensOf } = await startGateBefore(line);
    const [mina, jun] = [await tokensOf('mina'), await tokensOf('jun')];
    await line.ask('POST', `${ROOM}/bans`, { operator: true, body: { visitor: 'mina' } });
    await until('the gate to refuse mina', async () => (await codeFor(mina)) === 'BANNED');
    await line.kill('SIGKILL');
    expect([await codeFor(mina), await codeFor(jun)]).toEqual(['BANNED', 'pass']);
    const again = await startServer(env);
    expect(codeOf(await again.ask('POST', JOIN, { user: 'mina' }))).toBe('BANNED');
    await again.ask('POST', `${ROOM}/bans`, { operator: true, body: { visitor: 'jun' } });
    await until('the gate to refuse jun', async () => (await codeFor(jun)) === 'BANNED');
  });

  it('an ejection ends the token at plain rules of the gate', async () => {
    const line = await startServer({ DATA_DIR: tempFolder() });
    await setRoom(line, { maxActive: 5 });
    const { codeFor, tokensOf } = await startGateBefore(line);
    const mina = await tokensOf('mina');
    expect(await codeFor(mina)).toBe('pass');
    await line.ask('POST', `${ROOM}/eject`, { operator: true, body: { visitor: 'mina' } });
    await until('the gate to refuse it', async () => (await codeFor(mina)) === 'ENTRY_TOKEN_INVALID');
    expect(await codeFor(await tokensOf('mina'))).toBe('pass');
  });

  it('a live bypass of the gate is counted, and the first is in the audit trail of the line', async () => {
    const line = await startServer({ DATA_DIR: tempFolder() });
    await setRoom(line, { maxActive: 5 });
    const statusPort = await freePort();
    const { gate, codeFor } = await startGateBefore(line, { GATE_STATUS_PORT: String(statusPort) });
    const body = { effect: 'bypass', addresses: ['127.0.0.1'], about: 'monitor' };
    const { id } = (await line.ask('POST', `${ROOM}/access`, { operator: true, body })).body;
    await until('the gate to let it pass', async () => (await codeFor({})) === 'pass');
    for (let i = 0; i < 5; i += 1) await codeFor({});
    const trail = async () =>
      (await line.ask('GET', '/api/admin/audit?eventId=concert', { operator: true })).body.filter(
        ({ action }: { action: string }) => action === 'bypass',
      );
    const [first] = await until('the audit trail', async () => ((await trail()).length > 0 ? trail() : undefined));
    expect(first).toMatchObject({ from: '127.0.0.1', details: { kind: 'address', entry: id } });
    const metrics = await (await fetch(`${gate.url.replace(/:\d+$/, `:${statusPort}`)}/metrics`)).text();
    expect(metrics).toMatch(/fairline_gate_bypassed_total\{kind="address",event="concert"\} 6/);
    // What came after the first is summed up, at the latest when the process stops.
    expect(await trail()).toHaveLength(1);
  });

  it('fairline pass prints a link that one device opens at the running line', async () => {
    const line = await startServer({ DATA_DIR: tempFolder() });
    await setRoom(line, { maxActive: 5 });
    const { codeFor } = await startGateBefore(line);
    const args = ['pass', '--event', 'concert', '--minutes', '5', '--name', '민아', '--url', line.url];
    const { code, output } = await runProgram(args, secrets);
    const link = /#(\S+)/.exec(output)?.[1];
    expect([code, output.startsWith(`${line.url}/queue/concert/pass#`)]).toEqual([0, true]);
    const open = () => line.ask('POST', '/api/queue/pass/concert', { body: { link } });
    const opened = await open();
    const [cookie] = String(opened.headers['set-cookie']).split(';');
    expect(opened.body).toMatchObject({ name: '민아', events: ['concert'] });
    expect(await codeFor({ cookie: cookie! })).toBe('pass');
    expect(await codeFor({ cookie: cookie! }, '/shop/other/x')).toBe('ENTRY_TOKEN_REQUIRED');
    expect(codeOf(await open())).toBe('PASS_USED');
    const revoked = await line.ask('DELETE', `${ROOM}/passes/${opened.body.id}`, { operator: true });
    expect(revoked.status).toBe(200);
    await until('the gate to refuse it', async () => (await codeFor({ cookie: cookie! })) === 'ENTRY_TOKEN_REQUIRED');
    expect((await runProgram(['pass'], secrets)).output).toContain('--event is required');
  });
});

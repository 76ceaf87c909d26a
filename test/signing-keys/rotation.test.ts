/** Keys change while the program runs: nobody with a valid token is refused, and a retired key is refused. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keys as keysCommand } from '../../src/cli/keys.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { createKey, createKeyFile, readKeyFile } from '../../src/signing-keys/key-file.ts';
import { KeyFileFollower } from '../../src/signing-keys/key-file-follower.ts';
import { UNNAMED } from '../../src/signing-keys/token-names.ts';
import { ask, runGate } from '../gate/proxy/run-gate.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { cookiesOf, createTestApp, secrets } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const terminal = { print() {}, fail() {}, overwrite: undefined, columns: 80 };
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
const bySecretsOff = { QUEUE_ENTRY_TOKEN_SECRET: '', VWR_TOKEN_SECRET: '' };

async function createFile(): Promise<string> {
  const file = join(tempFolder(), 'keys.json');
  await keysCommand.run(['create', '--file', file], terminal);
  return file;
}

describe('fairline keys', () => {
  const run = async (...args: string[]) => {
    const printed: string[] = [];
    const code = await keysCommand.run(args, { ...terminal, print: (text) => printed.push(text) });
    return { code, text: printed.join('\n') };
  };

  it('creates, rotates, lists and retires, and never prints a key', async () => {
    const file = await createFile();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(run('create', '--file', file)).rejects.toThrow('exists; to add a key run: fairline keys rotate');
    const [first] = (await readKeyFile(file)).keys;
    await expect(run('retire', first!.jwk.kid, '--file', file)).rejects.toThrow('signs; replace it first');
    await run('rotate', '--file', file, '--algorithm', 'ES256', '--after', '0');
    const [, second] = (await readKeyFile(file)).keys;
    expect(second!.jwk.alg).toBe('ES256');
    const { text } = await run('list', '--file', file);
    expect(text).toMatch(new RegExp(`^${first!.jwk.kid}  EdDSA  accepted .*\n${second!.jwk.kid}  ES256  signs `));
    await run('retire', first!.jwk.kid, '--file', file);
    expect((await readKeyFile(file)).keys.map(({ jwk }) => jwk.kid)).toEqual([second!.jwk.kid]);
    for (const key of [first, second]) expect(text).not.toContain(key!.jwk.d);
    await expect(run('retire', 'nobody', '--file', file)).rejects.toThrow('has no key nobody');
    await expect(run('burn')).rejects.toThrow('unknown subcommand "burn"; expected: create, rotate, list, retire');
  });

  it('says what to do without a file', async () => {
    const file = join(tempFolder(), 'none.json');
    await expect(run('rotate', '--file', file)).rejects.toThrow(
      `no such file; create it with: fairline keys create --file ${file}`,
    );
  });
});

describe('a process that follows the key file', () => {
  async function open(path: string, clock = createTestClock()) {
    const faults: (Error | undefined)[] = [];
    const follower = new KeyFileFollower({ path, clock, onFault: (error) => faults.push(error) });
    await follower.begin();
    onTestFinished(() => follower.stop());
    return { follower, faults, clock };
  }

  it('publishes a new key at once, signs with it when its time has come, and accepts both', async () => {
    const path = join(tempFolder(), 'keys.json');
    const clock = createTestClock();
    await createKeyFile(path, { keys: [createKey('EdDSA', { now: clock.now(), signsFrom: clock.now() })] });
    const { follower } = await open(path, clock);
    const first = follower.currentKey().id;
    const names = { ...UNNAMED, written: { iss: 'fairline', aud: 'fairline' } };
    const tokens = createEntryTokens({ currentKey: () => follower.currentKey(), keys: follower, names }, clock);
    const admission = {
      state: 'active' as const,
      number: 1,
      tokenId: 'e.1',
      joinedAt: 0,
      admittedAt: clock.now(),
      expiresAt: clock.now() + 600_000,
    };
    const before = tokens.issue('concert', 'mina', admission);

    const { keys } = await readKeyFile(path);
    const next = createKey('EdDSA', { now: clock.now(), signsFrom: clock.now() + 10_000 });
    const { writeKeyFile } = await import('../../src/signing-keys/key-file.ts');
    await writeKeyFile(path, { keys: [...keys, next] });
    await follower.runOnce();
    expect(follower.currentKey().id).toBe(first);
    expect(JSON.parse(follower.published.text).keys.map(({ kid }: { kid: string }) => kid)).toEqual([
      first,
      next.jwk.kid,
    ]);

    clock.advance(10_000);
    await follower.runOnce();
    expect(follower.currentKey().id).toBe(next.jwk.kid);
    const after = tokens.issue('concert', 'mina', admission);
    expect([headerOf(before).kid, headerOf(after).kid]).toEqual([first, next.jwk.kid]);
    for (const token of [before, after]) expect(tokens.verify(token)).toMatchObject({ visitor: 'mina' });

    await writeKeyFile(path, { keys: [next] });
    await follower.runOnce();
    expect([tokens.verify(before), tokens.verify(after)?.visitor]).toEqual([undefined, 'mina']);
  });

  it('goes on with its keys while the file is missing or broken, and says so once', async () => {
    const path = await createFile();
    const { follower, faults } = await open(path);
    const { id } = follower.currentKey();
    writeFileSync(path, '{"keys": [');
    await follower.runOnce();
    await follower.runOnce();
    expect([follower.currentKey().id, follower.keys.length]).toEqual([id, 1]);
    expect(faults.map((error) => error?.message)).toEqual([`${path} is not a JSON object`]);
  });

  it('does not start without a usable file', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'keys.json'));
    const env = { ...bySecretsOff, TOKEN_KEYS_FILE: join(folder, 'none.json') };
    await expect(createTestApp(env)).rejects.toThrow(
      /^TOKEN_KEYS_FILE: .*none\.json: no such file; create it with: fairline keys create/,
    );
    await expect(createTestApp({ ...env, TOKEN_KEYS_FILE: join(folder, 'keys.json') })).rejects.toThrow(
      /^TOKEN_KEYS_FILE: the file cannot be read/,
    );
  });
});

describe('signing with a key pair', () => {
  it('happens once per admission while polls go on, and again when the session has moved on', async () => {
    const { as, clock, context } = await createTestApp(bySecretsOff);
    await context.line.rooms.putRoom('concert', { activeTtlMs: 600_000 });
    const first = (await as('mina')('POST', '/api/queue/check/concert')).json().entryToken;
    const poll = async () => {
      const answer = await as('mina')('GET', '/api/queue/status/concert');
      expect(cookiesOf(answer)['urr-entry-token']).toBe(answer.json().entryToken);
      return answer.json().entryToken;
    };
    expect(headerOf(first)).toMatchObject({ alg: 'EdDSA', typ: 'entry+jwt' });
    expect(claimsOf(first)).toMatchObject({ iss: 'fairline', aud: 'fairline', sub: 'concert', uid: 'mina' });
    clock.advance(30_000);
    expect(await poll()).toBe(first);
    clock.advance(60_000);
    const second = await poll();
    expect(claimsOf(second).exp).toBeGreaterThan(claimsOf(first).exp);
    expect(await poll()).toBe(second);
    const signed = (await context.registry.getSingleMetricAsString('fairline_tokens_signed_total')).split('\n').at(-1);
    expect(signed).toBe(`fairline_tokens_signed_total{kid="${headerOf(first).kid}"} 2`);
  });
});

describe('a change between HS256 and key pairs', () => {
  const inside = async (env: Record<string, string>) => {
    const test = await createTestApp(env);
    await test.context.line.rooms.putRoom('concert', {});
    const { entryToken } = (await test.as('mina')('POST', '/api/queue/check/concert')).json();
    return { ...test, entryToken: entryToken as string };
  };

  it('refuses nobody who holds a token of the previous secret, and everybody with one of the current secret', async () => {
    const before = await inside({});
    expect(headerOf(before.entryToken).alg).toBe('HS256');
    expect(claimsOf(before.entryToken)).not.toHaveProperty('iss');
    const { QUEUE_ENTRY_TOKEN_SECRET: secret } = secrets;
    const after = await inside({ TOKEN_ALGORITHM: 'EdDSA', QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: secret });
    expect(after.context.entryTokens.verify(before.entryToken)).toMatchObject({ visitor: 'mina' });
    const strict = await inside({ TOKEN_ALGORITHM: 'EdDSA' });
    expect(strict.context.entryTokens.verify(before.entryToken)).toBeUndefined();
    // Processes that are switched later accept the new tokens as soon as they have the file.
    const file = join(after.dataDir, 'token-keys.json');
    const still = await inside({ TOKEN_KEYS_FILE: file });
    expect(headerOf(still.entryToken).alg).toBe('HS256');
    expect(still.context.entryTokens.verify(after.entryToken)).toMatchObject({ visitor: 'mina' });
  });

  it('of an instance that had only generated secrets refuses nobody for a while', async () => {
    const old = tempFolder();
    const before = await inside({ ...bySecretsOff, TOKEN_ALGORITHM: 'HS256', DATA_DIR: old });
    const after = await inside({ ...bySecretsOff, DATA_DIR: old });
    expect(headerOf(after.entryToken).alg).toBe('EdDSA');
    expect(after.context.entryTokens.verify(before.entryToken)).toMatchObject({ visitor: 'mina' });
    // A new instance has nothing to accept.
    const fresh = await inside(bySecretsOff);
    expect((await readKeyFile(join(fresh.dataDir, 'token-keys.json'))).secretsUntil).toBeUndefined();
  });
});

describe('a gate that follows the line', () => {
  it('refuses nobody while keys rotate, and a retired key within ten seconds', async () => {
    const file = await createFile();
    const { ADMIN_TOKEN, AUTH_JWT_SECRET } = secrets;
    const line = await runApp({ env: { ADMIN_TOKEN, AUTH_JWT_SECRET, TOKEN_KEYS_FILE: file }, room: { maxActive: 5 } });
    const site = await startSite();
    const none = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));
    const gate = await runGate({
      ...none,
      AUTH_JWT_SECRET,
      GATE_UPSTREAM: site.url,
      GATE_LINE_URL: line.url,
      GATE_VWR_EVENTS: '',
    });
    const mina = gate.signedIn;
    const first = await until('mina to be inside', async () => {
      const { json } = await ask(gate.url, '/api/queue/check/concert', { method: 'POST', headers: mina });
      return json.entryToken as string | undefined;
    });
    const present = async (token: string) =>
      (await ask(gate.url, '/api/seats/events/concert', { headers: { ...mina, 'x-queue-entry-token': token } })).status;
    expect(await present(first)).toBe(200);

    // At once: the gate has not read the new key when it sees the first token of it, and looks for it, at most once a second.
    await keysCommand.run(['rotate', '--file', file, '--after', '0'], terminal);
    const second = await until('a token of the new key', async () => {
      const { json } = await ask(gate.url, '/api/queue/status/concert', { headers: mina });
      return headerOf(json.entryToken).kid === headerOf(first).kid ? undefined : (json.entryToken as string);
    });
    await until('the gate to find the new key', async () => (await present(second)) === 200);
    expect(await present(first)).toBe(200);

    await keysCommand.run(['retire', headerOf(first).kid, '--file', file], terminal);
    await until('the retired key to be refused', async () => (await present(first)) === 403);
    expect(await present(second)).toBe(200);
  });
});

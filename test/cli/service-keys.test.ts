/** `fairline service-keys` against a running instance. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serviceKeys } from '../../src/cli/service-keys.ts';
import { runApp } from '../support/running-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { secrets } from '../support/test-app.ts';
import { createTestTerminal } from '../support/test-terminal.ts';

it('creates, lists and revokes service keys of a running instance', async () => {
  const { url } = await runApp({ env: secrets });
  const file = join(tempFolder(), 'secrets.json');
  writeFileSync(file, JSON.stringify({ adminToken: secrets.ADMIN_TOKEN }));
  const run = async (...args: string[]) => {
    const terminal = createTestTerminal();
    await serviceKeys.run([...args, '--url', url, '--operator-token-file', file], terminal);
    return terminal.printed();
  };
  const token = await run('create', 'deploy', '--role', 'operator', '--days', '90');
  const read = (key: string) => fetch(`${url}/api/admin/rooms`, { headers: { authorization: `Bearer ${key}` } });
  expect((await read(token)).status).toBe(200);
  const listed = (await run('list')).split('\n').map((line) => JSON.parse(line));
  expect(listed).toMatchObject([
    { name: 'admin-token' },
    { name: 'deploy', role: 'operator', createdBy: 'admin-token' },
  ]);
  await expect(run('create', 'deploy')).rejects.toThrow('refused (409): A service key has this name');
  await run('revoke', 'deploy');
  expect((await read(token)).status).toBe(401);
  await expect(run('revoke', 'deploy')).rejects.toThrow('refused (404)');
});

it('says what is missing, and that nothing answers', async () => {
  const run = (...args: string[]) => serviceKeys.run(args, createTestTerminal());
  await expect(run()).rejects.toThrow('missing subcommand; expected: create, list, revoke');
  await expect(run('create')).rejects.toThrow('missing the name of the key');
  await expect(run('list', 'x')).rejects.toThrow('unexpected argument "x"');
  const file = join(tempFolder(), 'token');
  writeFileSync(file, 'a-token');
  const away = run('list', '--url', 'http://127.0.0.1:1', '--operator-token-file', file);
  await expect(away).rejects.toThrow('http://127.0.0.1:1 does not answer');
});

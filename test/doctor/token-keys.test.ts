import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkTokenKeys } from '../../src/doctor/check-token-keys.ts';
import { createKey, createKeyFile, writeKeyFile } from '../../src/signing-keys/key-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOW = Date.parse('2027-03-01T00:00:00Z');
const DAY = 86_400_000;

it('the doctor looks at who may read the key file, at the age of the key, and at the clock', async () => {
  const path = join(tempFolder(), 'keys.json');
  const find = async (now = NOW) =>
    (await checkTokenKeys(path, false, now)).map(({ state, found }) => `${state}: ${found}`);
  expect(await find()).toEqual(['problem: no such file']);
  expect(await checkTokenKeys(path, true, NOW)).toMatchObject([{ state: 'ok' }]);
  const key = createKey('EdDSA', { now: NOW, signsFrom: NOW });
  await createKeyFile(path, { keys: [key] });
  const { kid, d } = key.jwk;
  expect(await find()).toEqual(['ok: readable only by its owner', `ok: ${kid} (EdDSA) signs, 0 days old, no next key`]);
  expect((await find(NOW + 366 * DAY))[1]).toBe(`warning: ${kid} (EdDSA) signs, 366 days old, no next key`);
  const next = createKey('EdDSA', { now: NOW + 366 * DAY, signsFrom: NOW + 366 * DAY + 10_000 });
  await writeKeyFile(path, { keys: [key, next] });
  expect((await find(NOW + 366 * DAY))[1]).toMatch(/^ok: .* the next key is published$/);
  expect((await find())[2]).toMatch(/^warning: a key was created \d+ s after now$/);
  chmodSync(path, 0o644);
  expect((await find())[0]).toBe('problem: readable by other users (mode 644)');
  writeFileSync(path, `{"keys": [{"d": "${d}"`);
  const [broken] = await checkTokenKeys(path, false, NOW);
  expect(broken).toMatchObject({ state: 'problem', found: `${path} is not a JSON object` });
});

import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { checkUsers } from '../../src/doctor/check-users.ts';
import { tempFolder } from '../support/temp-folder.ts';

const check = (env: Record<string, string>) => checkUsers(readConfig({ AUTH_AUDIENCE: 'tickets', ...env }).users);

it('the doctor reads the keys of users’ tokens, and warns of those that come without TLS', async () => {
  const path = join(tempFolder(), 'keys.json');
  const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  writeFileSync(path, JSON.stringify({ keys: [key] }));
  expect(await check({})).toEqual([]);
  expect(await check({ AUTH_JWKS: path })).toEqual([
    { what: 'identity provider', state: 'ok', found: '1 key (EdDSA)' },
  ]);
  const [missing] = await check({ AUTH_JWKS: `${path}.missing` });
  expect(missing).toMatchObject({ state: 'problem', found: expect.stringContaining('ENOENT') });
  const [warned, away] = await check({ AUTH_ISSUER: 'http://id.invalid' });
  expect([warned, away]).toMatchObject([{ what: 'AUTH_ISSUER', state: 'warning' }, { state: 'problem' }]);
});

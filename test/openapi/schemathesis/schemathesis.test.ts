/**
 * Schemathesis sends requests to every operation of the running program, valid and invalid ones, and compares the responses
 * with the OpenAPI document: no undocumented status or error code, no response that its schema does not allow, no bad input
 * accepted, no endpoint that forgets to ask for credentials, wrong methods refused.
 *
 * By default it takes the examples and the edges of each schema. With FUZZ_EXAMPLES=N, as `npm run fuzz` does, also N random
 * requests per operation, and sequences of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTokenSigner } from '../../../src/platform/jwt/tokens.ts';
import { runApp } from '../../support/running-app.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { installSchemathesis } from './install.ts';

const OPERATOR = 'operator-token-of-the-tests';
const SERVICE = 'service-key-of-the-tests-0123456789abcdef';
const AUTH_SECRET = 'auth-secret-of-the-tests-0123456789abcdef';
const examples = Number(process.env.FUZZ_EXAMPLES ?? 0);
/** Requests are no attack here. */
const noLimits = Object.fromEntries(
  [
    ...['VWR_ASSIGN_PER_DEVICE', 'VWR_ASSIGN_PER_IP', 'HOLD_PER_VISITOR', 'SIGN_IN_PER_IP', 'PAYMENT_PER_VISITOR'],
    ...['WRONG_PASSWORD_PER_ACCOUNT', 'PUBLIC_READ_PER_IP', 'DRAW_LIST_PER_IP', 'OPERATOR_SIGN_IN_PER_IP'],
  ].map((name) => [`LIMIT_${name}`, '0']),
);

let program: string | undefined;
beforeAll(() => {
  program = installSchemathesis();
}, 600_000);

describe('Schemathesis (needs Python 3 with venv, and PyPI)', () => {
  it('finds nothing', { timeout: 3_600_000 }, async (test) => {
    if (program === undefined && process.env.CI !== 'true') return test.skip('Schemathesis could not be installed');
    const { url } = await runApp({
      env: { SHOP: 'on', ADMIN_TOKEN: OPERATOR, SERVICE_KEY: SERVICE, AUTH_JWT_SECRET: AUTH_SECRET, ...noLimits },
    });
    await sellConcert(url);
    const { code, output } = await fuzz(program!, url, signToken('kim'));
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tested: 1\d\d\b/);
  });
});

async function sellConcert(url: string): Promise<void> {
  const standing = [{ id: 'standing', name: 'Standing', price: 500, quantity: 100_000 }];
  const sections = [{ id: 'A', name: 'Front', rows: 20, seatsPerRow: 20, price: 1_000 }];
  const event = { title: 'Concert', startsAt: '2099-05-01T10:00:00Z', maxPerPerson: 20 };
  await send(`${url}/api/admin/layouts/hall`, 'PUT', { name: 'Hall', sections, standing });
  await send(`${url}/api/admin/events/concert`, 'PUT', event);
  await send(`${url}/api/admin/events/concert/seats`, 'POST', { layoutId: 'hall' });
  await send(`${url}/api/admin/events/concert/open`, 'POST', undefined);
}

async function send(url: string, method: string, body: object | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
}

function signToken(sub: string): string {
  const now = Math.floor(Date.now() / 1000);
  return createTokenSigner({ secret: AUTH_SECRET, typ: 'JWT' })({ sub, iat: now, exp: now + 86_400 });
}

async function fuzz(schemathesis: string, url: string, userToken: string): Promise<{ code: number; output: string }> {
  const folder = tempFolder();
  const config = join(folder, 'schemathesis.toml');
  writeFileSync(config, toConfig(userToken));
  const phases = ['examples', 'coverage', ...(examples > 0 ? ['fuzzing', 'stateful'] : [])];
  const args = ['--config-file', config, 'run', `${url}/openapi.json`, '--phases', phases.join(','), '--no-color'];
  const child = spawn(schemathesis, [...args, '--continue-on-failure', '-n', String(Math.max(1, examples))], {
    cwd: folder,
    env: { ...process.env, FAIRLINE_URL: url, FAIRLINE_USER_TOKEN: userToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

function toConfig(userToken: string): string {
  return `hooks = ${JSON.stringify(join(import.meta.dirname, 'hooks.py'))}
[auth.openapi.userToken]
bearer = "${userToken}"
[auth.openapi.operatorToken]
bearer = "${OPERATOR}"
[auth.openapi.serviceKey]
bearer = "${SERVICE}"
[auth.openapi.entryToken]
api_key = "replaced by the hooks"
# Some fields depend on each other, which a schema cannot say: such a request is a documented 400.
[checks.positive_data_acceptance]
enabled = false
# Also 413 and 414: bad input that is refused for its size before it is looked at.
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "414", "415", "422", "429"]
`;
}

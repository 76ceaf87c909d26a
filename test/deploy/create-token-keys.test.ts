/** The script with which the chart creates the Secret of the token keys, against a simulated API server of Kubernetes. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const script = readFileSync(join(root, 'deploy/helm/fairline/files/create-token-keys.mjs'), 'utf8');
const PATH = '/api/v1/namespaces/sale/secrets';

interface Asked {
  request: string;
  authorization: string | undefined;
  body: string;
}

describe('the job that creates the token keys', () => {
  it('creates the Secret with a key file that has a private key', async () => {
    const { asked, status, output } = await run({ [`GET ${PATH}/tokens`]: 404, [`POST ${PATH}`]: 201 });
    expect([status, output]).toEqual([0, expect.stringContaining('Secret tokens created')]);
    expect(asked.map(({ request }) => request)).toEqual([`GET ${PATH}/tokens`, `POST ${PATH}`]);
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer account-token', 'Bearer account-token']);
    const secret = JSON.parse(asked[1]!.body) as { metadata: { name: string }; data: Record<string, string> };
    expect(secret.metadata.name).toBe('tokens');
    const file = Buffer.from(secret.data['token-keys.json']!, 'base64').toString();
    expect(file).toMatch(/"alg":\s*"ES256"/);
    const [, privatePart] = /"d":\s*"([\w-]{43})"/.exec(file) ?? [];
    expect(privatePart).toBeDefined();
    // The log of a job is kept and read by many.
    expect(output).not.toContain(privatePart);
  });

  it('leaves a Secret alone that exists', async () => {
    const { asked, status } = await run({ [`GET ${PATH}/tokens`]: 200 });
    expect([status, asked.length]).toEqual([0, 1]);
  });

  it('accepts that another run was faster', async () => {
    const { status } = await run({ [`GET ${PATH}/tokens`]: 404, [`POST ${PATH}`]: 409 });
    expect(status).toBe(0);
  });

  it('fails and says what to do if it may not', async () => {
    const { status, output } = await run({ [`GET ${PATH}/tokens`]: 403 });
    expect(status).toBe(1);
    expect(output).toContain('Cannot read Secret tokens: 403 not allowed here. Create it yourself');
  });
});

/** Runs the script. `answers`: the status by method and path. */
async function run(answers: Record<string, number>) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const title = `${request.method} ${request.url}`;
    asked.push({
      request: title,
      authorization: request.headers.authorization,
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(answers[title] ?? 500).end('{"message":"not allowed here"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const folder = tempFolder();
  writeFileSync(join(folder, 'token'), 'account-token\n');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ACCOUNT: folder,
      NAMESPACE: 'sale',
      SECRET: 'tokens',
      FILE: 'token-keys.json',
      FOLDER: folder,
      PROGRAM: join(root, 'dist/src/main.js'),
      ALGORITHM: 'ES256',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { asked, status, output };
}

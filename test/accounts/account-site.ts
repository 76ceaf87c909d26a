/** The application with accounts on a PostgreSQL shared by the suite, browsers that keep cookies, and the mails it sent. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { beforeAll } from 'vitest';
import { sharedPostgres } from '../support/postgres-server.ts';
import { cookiesOf, createTestApp, type TestApp } from '../support/test-app.ts';

export const PASSWORD = 'correct horse';

let count = 0;

export function newEmail(name = 'ann'): string {
  count += 1;
  return `${name}-${process.pid}-${count}@example.org`;
}

export const codeOf = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error?.code];

export function shareAccountDatabase(): {
  createSite: (env?: Record<string, string>) => Promise<TestApp>;
  url: () => string;
} {
  let url: string;
  beforeAll(async () => {
    url = await (await sharedPostgres()).createDatabase();
  });
  return {
    url: () => url,
    createSite: (env = {}) =>
      createTestApp({ DATABASE_URL: url, LIMIT_SIGN_IN_PER_IP: '0', PUBLIC_URL: 'https://tickets.example', ...env }),
  };
}

export type AccountBrowser = ReturnType<typeof openBrowser>;

/** `from`: its IP address. */
export function openBrowser({ app }: Pick<TestApp, 'app'>, from = '127.0.0.1') {
  const jar: Record<string, string> = {};
  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    const cookie = Object.entries(jar)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const answer = await app.inject({
      method,
      url,
      remoteAddress: from,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    for (const [name, value] of Object.entries(cookiesOf(answer))) {
      if (value === '') delete jar[name];
      else jar[name] = value;
    }
    return answer;
  }
  const sign = (how: 'register' | 'login', email: string, password = PASSWORD) =>
    ask('POST', `/api/auth/${how}`, { email, password });
  return { jar, ask, sign };
}

/** The mails to an address, oldest first. */
export async function mailsTo({ context, dataDir }: TestApp, email: string): Promise<string[]> {
  await context.accounts!.mailQueue.settled();
  const dir = join(dataDir, 'mail');
  const files = readdirSync(dir)
    .filter((name) => name.endsWith('.eml'))
    .sort();
  const mails = files.map((name) => decodeQuotedPrintable(readFileSync(join(dir, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}

/** The secret of the latest link of this kind mailed to an address. */
export async function findSecret(site: TestApp, email: string, path: 'reset-password' | 'confirm-email') {
  const found = (await mailsTo(site, email)).flatMap((mail) => mail.match(new RegExp(`/${path}#([\\w-]+)`))?.[1] ?? []);
  if (found.length === 0) throw new Error(`no link to ${path} was mailed to ${email}`);
  return found.at(-1)!;
}

function decodeQuotedPrintable(text: string): string {
  return text.replaceAll('=\n', '').replaceAll('=3D', '=');
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

/** `fairline service-keys`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readGateConfig } from '../config/read-config.ts';
import { type OperatorRole, operatorRoles } from '../identity/roles/operator-roles.ts';
import { OptionsError, option, readOptions } from '../platform/settings/options.ts';
import { integer, oneOf, text } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';
import { readSecretFile } from './rehearse-options.ts';
import { urlOption } from './url-option.ts';

const LONGEST_DAYS = 3_650;
const TIMEOUT_MS = 10_000;

const options = {
  role: option(
    'ROLE',
    oneOf<OperatorRole>({ default: 'viewer', values: operatorRoles, about: 'create: what the key may do.' }),
  ),
  days: option(
    'N',
    integer({ default: 0, min: 0, max: LONGEST_DAYS, about: 'create: how many days the key is valid; 0: for good.' }),
  ),
  url: urlOption('The running instance.'),
  'operator-token-file': option(
    'FILE',
    text({
      default: undefined,
      pattern: /^.+$/,
      allowed: 'a file with ADMIN_TOKEN or an admin’s service key, or the secrets.json of an embedded instance',
      defaultText: 'the setting ADMIN_TOKEN, else DATA_DIR/secrets.json',
      about: 'Who asks.',
    }),
  ),
};

const SUBCOMMANDS = ['create', 'list', 'revoke'] as const;
type Subcommand = (typeof SUBCOMMANDS)[number];

export const serviceKeys: Command = {
  summary: 'create, list or revoke service keys of a running instance',
  usage: ['service-keys create NAME [options]', 'service-keys list [options]', 'service-keys revoke NAME [options]'],
  about: `Service keys are bearer tokens of scripts and servers, each with a name, a role and an expiry
(docs/guides/operators.md). create prints the key, this once. list prints JSON lines, with the last use of
each key. revoke takes effect within two seconds in every process. All changes are in the audit trail.`,
  options,
  examples: [
    'fairline service-keys create deploy --role operator --days 90',
    'fairline service-keys list --url https://tickets.example --operator-token-file admin-token.txt',
    'fairline service-keys revoke deploy',
  ],
  async run(args, { print, fail }) {
    const { values, words } = readOptions(options, args, { atMost: 2 });
    const { subcommand, name } = readWords(words);
    const ask = createAsk(values.url!, findToken(values['operator-token-file']));
    if (subcommand === 'create') {
      const days = values.days === 0 ? {} : { days: values.days };
      const { token, expiresAt } = await ask('POST', '', { name, role: values.role, ...days });
      print(String(token));
      fail(`Key ${name}, role ${values.role}, ${expiresAt ? `valid until ${expiresAt}` : 'does not expire'}.`);
    } else if (subcommand === 'revoke') {
      await ask('DELETE', `/${encodeURIComponent(name)}`);
      fail(`Key ${name} is revoked.`);
    } else {
      for (const key of (await ask('GET', '')) as unknown as object[]) print(JSON.stringify(key));
    }
    return 0;
  },
};

function readWords([subcommand, name = '']: readonly string[]): { subcommand: Subcommand; name: string } {
  if (!SUBCOMMANDS.includes(subcommand as Subcommand)) {
    const given = subcommand === undefined ? 'missing subcommand' : `unknown subcommand "${subcommand}"`;
    throw new OptionsError(`${given}; expected: ${SUBCOMMANDS.join(', ')}`);
  }
  const needsName = subcommand !== 'list';
  if (needsName && name === '') throw new OptionsError(`${subcommand}: missing the name of the key`);
  if (!needsName && name !== '') throw new OptionsError(`unexpected argument "${name}"`);
  return { subcommand: subcommand as Subcommand, name };
}

function findToken(path: string | undefined): string {
  // Not readConfig: other settings may be missing here, they concern the instance.
  const { secrets, dataDir } = readGateConfig({});
  if (path !== undefined) return readSecretFile('operator-token-file', path, 'adminToken');
  if (secrets.adminToken !== undefined) return secrets.adminToken;
  const file = join(dataDir, 'secrets.json');
  if (existsSync(file)) return readSecretFile('operator-token-file', file, 'adminToken');
  throw new OptionsError('no operator token: set ADMIN_TOKEN, or give a file with it by --operator-token-file');
}

function createAsk(url: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/api/admin/service-keys${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const { code } = (error.cause ?? {}) as { code?: string };
      throw new OptionsError(`${url} does not answer (${code ?? error.name}); is the instance running there?`);
    });
    const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    if (response.ok) return answer;
    const { message } = (answer.error ?? {}) as { message?: string };
    throw new OptionsError(`${url} refused (${response.status}): ${message ?? 'not an instance of Fairline'}`);
  };
}

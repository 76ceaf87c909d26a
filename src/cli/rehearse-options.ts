/** The options of `fairline rehearse`, and the secrets it needs. */
import { readGateConfig } from '../config/read-config.ts';
import { flag, OptionsError, option } from '../platform/settings/options.ts';
import { integer, text, type Values } from '../platform/settings/settings.ts';
import { reportOptions } from './report-options.ts';
import { crowdOptions, minutes, number, optional, readText, share, shoppingTime, withDefault } from './sale-options.ts';

const file = (about: string, defaultText: string) =>
  text({ default: undefined, defaultText, pattern: /^.+$/, allowed: 'a file', about });

/** The options that describe the rehearsal; its report lists them. */
export const rehearsalOptions = {
  event: option(
    'ID',
    text({
      default: 'rehearsal',
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      allowed: '1 to 64 letters, digits, _ or -',
      about: 'Event id. With an operator token and --limit, its room is created or changed.',
    }),
  ),
  ...crowdOptions,
  visitors: option('N', integer({ default: 1_000, min: 1, max: 100_000, about: 'Number of visitors.' })),
  'arrival-minutes': option('MIN', withDefault(1, minutes('Period over which visitors arrive.'))),
  shopping: option('TIME', shoppingTime({ default: '20', about: 'How long visitors stay inside, in seconds.' })),
  limit: option(
    'N',
    optional(
      integer({ default: 0, min: 1, max: 10_000_000, about: 'Set the maximum visitors inside at once (maxActive).' }),
      'the room’s setting',
    ),
  ),
  rate: option('N', number('Set the maximum admissions per second (admitPerSecond).', { above: 0, max: 100_000 })),
  streams: option(
    'SHARE',
    share({ default: 0.1, about: 'Share of visitors who wait on an SSE stream; the others poll.' }),
  ),
  buy: option(
    'N',
    integer({
      default: 0,
      min: 0,
      max: 20,
      about: 'Seats each buyer buys through the shop API, paid with the sandbox card; 0: no purchases.',
    }),
  ),
  buying: option('SHARE', share({ default: 1, about: 'Share of entered visitors who buy.' })),
  minutes: option('MIN', withDefault(15, minutes('Maximum length of the rehearsal. Visitors still there then leave.'))),
  retries: option(
    'N',
    integer({
      default: 8,
      min: 0,
      max: 100,
      about:
        'Retries of a request after a lost connection or status 408, 502, 503 or 504, before it counts as an error.',
    }),
  ),
  connections: option(
    'N',
    integer({ default: 256, min: 1, max: 10_000, about: 'Maximum connections per URL, not counting streams.' }),
  ),
  workers: option(
    'N',
    integer({
      default: 1,
      min: 1,
      max: 64,
      about: 'Number of processes that send requests, each on a core of its own.',
    }),
  ),
};

export const options = {
  ...rehearsalOptions,
  'i-own': option(
    'HOST',
    text({
      default: undefined,
      pattern: /^[A-Za-z0-9.:-]+$/,
      allowed: 'a host name or IP address',
      about: 'Confirms that you may test this host. Required for hosts outside this machine and private networks.',
    }),
  ),
  'secret-file': option(
    'FILE',
    file(
      'File with AUTH_JWT_SECRET, or the secrets.json of an embedded instance. Without it, visitors are guests.',
      'the setting AUTH_JWT_SECRET',
    ),
  ),
  'operator-token-file': option(
    'FILE',
    file('File with the operator token, or the secrets.json of an embedded instance.', 'the setting ADMIN_TOKEN'),
  ),
  forwarded: flag(
    'Send a different X-Forwarded-For for each visitor. The server must have this machine in TRUST_PROXY.',
  ),
  'goal-errors': option(
    'N',
    integer({ default: 0, min: 0, max: 1_000_000, about: 'Maximum errors that visitors see.' }),
  ),
  'goal-p50': option('MS', integer({ default: 200, min: 1, max: 60_000, about: 'Maximum median response time.' })),
  'goal-p99': option(
    'MS',
    integer({ default: 1_000, min: 1, max: 60_000, about: 'Maximum 99th percentile of response times.' }),
  ),
  'goal-prediction': option(
    'SHARE',
    optional(
      share({ default: 0, about: 'Maximum deviation of the median wait from the simulated one.' }),
      'none: reported only',
    ),
  ),
  ...reportOptions,
};

export type RehearsalValues = Values<typeof options>;

export function findSecrets(values: RehearsalValues): { auth: string | undefined; operatorToken: string | undefined } {
  // Not readConfig: other settings may be missing or invalid here, they concern the tested instance.
  const { auth, adminToken } = readGateConfig({}).secrets;
  const fromFile = (name: 'secret-file' | 'operator-token-file', key: 'auth' | 'adminToken') =>
    values[name] === undefined ? undefined : readSecretFile(name, values[name], key);
  return {
    auth: fromFile('secret-file', 'auth') ?? auth,
    operatorToken: fromFile('operator-token-file', 'adminToken') ?? adminToken,
  };
}

/** The content of the file, or the value of `key` in a secrets.json. */
export function readSecretFile(name: string, path: string, key: string): string {
  const content = readText(name, path).trim();
  if (!content.startsWith('{')) return content;
  const kept = (JSON.parse(content) as Record<string, unknown>)[key];
  if (typeof kept !== 'string')
    throw new OptionsError(`--${name} ${path}: the file has no "${key}"; the instance gets it from a setting`);
  return kept;
}

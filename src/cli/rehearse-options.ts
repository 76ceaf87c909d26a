/** The options of `fairline rehearse`, and the secrets that they name. */
import { readGateConfig } from '../config/read-config.ts';
import { flag, OptionsError, option } from '../platform/settings/options.ts';
import { integer, text, type Values } from '../platform/settings/settings.ts';
import { reportOptions } from './report-options.ts';
import { crowdOptions, minutes, number, optional, readText, share, shoppingTime, withDefault } from './sale-options.ts';

const file = (about: string, defaultText: string) =>
  text({ default: undefined, defaultText, pattern: /^.+$/, allowed: 'a file', about });

/** Those that describe the rehearsal itself. */
export const rehearsalOptions = {
  event: option(
    'ID',
    text({
      default: 'rehearsal',
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      allowed: 'letters, digits, _ and -, 64 at most',
      about: 'Whose line. With an operator’s token and --limit its room is made, or changed.',
    }),
  ),
  ...crowdOptions,
  visitors: option('N', integer({ default: 1_000, min: 1, max: 100_000, about: 'How many come.' })),
  'arrival-minutes': option('MIN', withDefault(1, minutes('Within which they come.'))),
  shopping: option('TIME', shoppingTime({ default: '20', about: 'How long people stay inside, in seconds.' })),
  limit: option(
    'N',
    optional(
      integer({ default: 0, min: 1, max: 10_000_000, about: 'Sets how many may be inside at once (maxActive).' }),
      'as the room has it',
    ),
  ),
  rate: option('N', number('Sets the admissions a second at most (admitPerSecond).', { above: 0, max: 100_000 })),
  streams: option(
    'SHARE',
    share({ default: 0.1, about: 'Who waits by a stream of events; the others ask as often as they are told to.' }),
  ),
  buy: option(
    'N',
    integer({
      default: 0,
      min: 0,
      max: 20,
      about: 'How many seats each buys before leaving, by the shop’s API with the sandbox’s card; 0 buys nothing.',
    }),
  ),
  buying: option('SHARE', share({ default: 1, about: 'Who buys, of those who come in.' })),
  minutes: option('MIN', withDefault(15, minutes('It ends then at the latest; who is still there leaves.'))),
  retries: option(
    'N',
    integer({
      default: 8,
      min: 0,
      max: 100,
      about:
        'How often a request that is refused for the moment (408, 502, 503, 504), or whose connection breaks, is sent again before it counts as an error.',
    }),
  ),
  connections: option(
    'N',
    integer({ default: 256, min: 1, max: 10_000, about: 'Connections to each address at most, besides streams.' }),
  ),
};

export const options = {
  ...rehearsalOptions,
  'i-own': option(
    'HOST',
    text({
      default: undefined,
      pattern: /^[A-Za-z0-9.:-]+$/,
      allowed: 'a host name or address',
      about: 'Allows this host, though it is neither this machine nor a private address.',
    }),
  ),
  'secret-file': option(
    'FILE',
    file(
      'Holds the secret by which the site signs the tokens of its users, or is secrets.json of an embedded instance. Without one, visitors are guests.',
      'the setting AUTH_JWT_SECRET',
    ),
  ),
  'operator-token-file': option(
    'FILE',
    file('Holds the operator’s token, or is secrets.json of an embedded instance.', 'the setting ADMIN_TOKEN'),
  ),
  forwarded: flag(
    'Each visitor claims an address of their own (X-Forwarded-For), for servers with this machine in TRUST_PROXY.',
  ),
  'goal-errors': option(
    'N',
    integer({ default: 0, min: 0, max: 1_000_000, about: 'Errors that visitors see, at most.' }),
  ),
  'goal-p50': option(
    'MS',
    integer({ default: 200, min: 1, max: 60_000, about: 'The median delay of answers, at most.' }),
  ),
  'goal-p99': option(
    'MS',
    integer({ default: 1_000, min: 1, max: 60_000, about: 'The delay of 99 answers in 100, at most.' }),
  ),
  'goal-prediction': option(
    'SHARE',
    optional(
      share({ default: 0, about: 'How far the median wait may be from the simulated one.' }),
      'it is shown, not judged',
    ),
  ),
  ...reportOptions,
};

export type RehearsalValues = Values<typeof options>;

export function findSecrets(values: RehearsalValues): { auth: string | undefined; operatorToken: string | undefined } {
  // As a gate reads them: what else is set, or missing, is the business of the instance.
  const { auth, adminToken } = readGateConfig({}).secrets;
  const fromFile = (name: 'secret-file' | 'operator-token-file', key: 'auth' | 'adminToken') =>
    values[name] === undefined ? undefined : readSecretFile(name, values[name], key);
  return {
    auth: fromFile('secret-file', 'auth') ?? auth,
    operatorToken: fromFile('operator-token-file', 'adminToken') ?? adminToken,
  };
}

/** The text of the file, or what secrets.json has by this key. */
function readSecretFile(name: string, path: string, key: string): string {
  const content = readText(name, path).trim();
  if (!content.startsWith('{')) return content;
  const kept = (JSON.parse(content) as Record<string, unknown>)[key];
  if (typeof kept !== 'string')
    throw new OptionsError(`--${name} ${path}: it has no "${key}"; that secret is configured elsewhere`);
  return kept;
}

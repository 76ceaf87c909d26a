/** `fairline import-line`. */
import { readGateConfig } from '../config/read-config.ts';
import { joinInOrder } from '../import-line/join-in-order.ts';
import { readMembers } from '../import-line/read-members.ts';
import { createUserTokens } from '../import-line/user-tokens.ts';
import { keyOf, type SourceFormat, sourceFormats, toUsers } from '../import-line/waiting-set.ts';
import { OptionsError, option, readOptions } from '../platform/settings/options.ts';
import { oneOf, text } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';
import { readSecretFile } from './rehearse-options.ts';
import { readText } from './sale-options.ts';
import { urlOption } from './url-option.ts';

const options = {
  from: option(
    'URL',
    text({
      default: undefined,
      pattern: /^rediss?:\/\/[^\s@]+$/,
      allowed: 'redis://host:port/database or rediss://…, without a password',
      about: 'The Redis of the other system.',
    }),
  ),
  'password-file': option(
    'FILE',
    text({ default: undefined, pattern: /^.+$/, allowed: 'a file', about: 'File with the password of that Redis.' }),
  ),
  system: option('NAME', oneOf<SourceFormat>({ default: 'urr', values: sourceFormats, about: 'Whose line it is.' })),
  event: option(
    'ID',
    text({
      default: undefined,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      allowed: '1 to 64 letters, digits, _ or -',
      about: 'The event, there and here. Its room here must be paused.',
    }),
  ),
  url: urlOption('The running instance.'),
  'secret-file': option(
    'FILE',
    text({
      default: undefined,
      defaultText: 'the setting AUTH_JWT_SECRET',
      pattern: /^.+$/,
      allowed: 'a file',
      about: 'File with AUTH_JWT_SECRET, or the secrets.json of an embedded instance.',
    }),
  ),
};

export const importLine: Command = {
  summary: 'move the waiting users of another system into a line, in their order',
  usage: ['import-line --from URL --event ID [options]'],
  about: `Reads the line of an event from the Redis of another system and lets each user join here, in the same
order, as if they had come themselves. A user who has a place here keeps it, so it can be repeated. Users
who do not come lapse as others do. Run it with the settings of the line: AUTH_JWT_SECRET,
AUTH_USER_CLAIM, AUTH_REQUIRED_CLAIMS, AUTH_ALGORITHMS. Nothing is changed in the other system
(docs/guides/cutover.md).`,
  options,
  examples: [
    'fairline import-line --from redis://10.0.0.7:6379 --event spring-tour',
    'fairline import-line --from redis://10.0.0.7:6379 --event 42 --system codenbug --url https://line.example',
  ],
  async run(args, { print, overwrite }) {
    const { values } = readOptions(options, args, { atMost: 0 });
    const { from, event, system, url } = values;
    if (from === undefined || event === undefined) throw new OptionsError('--from and --event are required');
    const passwordFile = values['password-file'];
    const password = passwordFile === undefined ? undefined : readText('password-file', passwordFile).trim();
    const signUser = createUserTokens(findTokenOptions(values['secret-file']));
    const users = toUsers(system, await readMembers({ url: from, password }, keyOf(system, event)));
    const onJoined = (count: number) => overwrite?.(`${count} of ${users.length}`);
    const { joined, wereThere } = await joinInOrder({ url: url!, eventId: event, users, signUser, onJoined });
    overwrite?.('');
    print(`${joined} users of ${keyOf(system, event)} are in the line ${event}, in their order.`);
    if (wereThere > 0) print(`${wereThere} of them had joined here before, and kept that place.`);
    return 0;
  },
};

function findTokenOptions(secretFile: string | undefined) {
  const { secrets, users } = readGateConfig({});
  const secret = secretFile === undefined ? secrets.auth : readSecretFile('secret-file', secretFile, 'auth');
  if (secret === undefined) throw new OptionsError('AUTH_JWT_SECRET is not set; set it, or give --secret-file');
  const { rules } = users;
  const algorithm = (rules?.algorithms ?? ['HS256']).find((name) => name.startsWith('HS'));
  if (algorithm === undefined) throw new OptionsError('AUTH_ALGORITHMS has none of HS256, HS384, HS512');
  return {
    secret,
    algorithm: algorithm as 'HS256' | 'HS384' | 'HS512',
    userClaim: rules?.userClaim ?? 'sub',
    requiredClaims: rules?.requiredClaims ?? [],
    issuer: rules?.issuer,
    audience: rules?.audiences[0],
  };
}

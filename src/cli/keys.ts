/** `fairline keys`. */
import { readGateConfig } from '../config/read-config.ts';
import { systemClock } from '../platform/clock.ts';
import { OptionsError, option, readOptions } from '../platform/settings/options.ts';
import { integer, oneOf, type Setting, text } from '../platform/settings/settings.ts';
import { createKey, createKeyFile, readKeyFile, writeKeyFile } from '../signing-keys/key-file.ts';
import { KeyFileError } from '../signing-keys/key-file-format.ts';
import {
  addKey,
  findSigningKey,
  type KeyAlgorithm,
  keyAlgorithms,
  MOST_KEYS,
  retireKey,
  stateOf,
} from '../signing-keys/key-rules.ts';
import type { Command, Terminal } from './command.ts';

/** Every process and every verifier of ours knows a new key by then. */
const PUBLISHED_BEFORE_SECONDS = 10;
const SUBCOMMANDS = ['create', 'rotate', 'list', 'retire'] as const;
/** The word for what was signed before there were keys. */
const SECRETS = 'secrets';

const options = {
  file: option(
    'FILE',
    text({
      default: undefined,
      defaultText: 'the setting TOKEN_KEYS_FILE, else token-keys.json in DATA_DIR',
      pattern: /^.+$/,
      allowed: 'a file',
      about: 'The file with the private keys.',
    }),
  ),
  algorithm: option('NAME', {
    ...(oneOf({
      default: 'EdDSA',
      values: keyAlgorithms,
      about: 'create, rotate: what the new key signs.',
    }) as Setting<KeyAlgorithm | undefined>),
    default: undefined,
    defaultText: 'EdDSA; for rotate that of the key which signs',
  }),
  after: option(
    'SECONDS',
    integer({
      default: PUBLISHED_BEFORE_SECONDS,
      min: 0,
      max: 2_592_000,
      about: 'rotate: when the new key begins to sign. Every process must have read it by then; Kubernetes: 300.',
    }),
  ),
};

export const keys: Command = {
  summary: 'create, rotate, list and retire the keys that sign tokens',
  usage: ['keys create [options]', 'keys rotate [options]', 'keys list [options]', 'keys retire KEY-ID [options]'],
  about: `Changes the file with the private keys of entry tokens, vwr tokens and staff passes (docs/guides/keys.md).
Running processes read it again every second. rotate adds a key that is published at once and signs later;
tokens of the older keys are accepted until they expire, so nobody is refused. retire removes a key: its
tokens are refused everywhere within ten seconds. "retire ${SECRETS}" does the same for tokens that an
earlier version signed with secrets. list shows key ids and times, never keys.`,
  options,
  examples: [
    'fairline keys create --file /etc/fairline/token-keys.json',
    'fairline keys rotate',
    'fairline keys rotate --after 0 && fairline keys retire 3vW8kPq1xY0a   # a key was stolen',
  ],
  async run(args, terminal) {
    const { values, words } = readOptions(options, args, { atMost: 2 });
    const [subcommand, id] = words;
    const known = SUBCOMMANDS.find((name) => name === subcommand);
    if (known === undefined) {
      const given = subcommand === undefined ? 'missing subcommand' : `unknown subcommand "${subcommand}"`;
      throw new OptionsError(`${given}; expected: ${SUBCOMMANDS.join(', ')}`);
    }
    if (known !== 'retire' && id !== undefined) throw new OptionsError(`unexpected argument "${id}"`);
    const path = values.file ?? (await findPath());
    try {
      if (known === 'create') return await create(path, values.algorithm ?? 'EdDSA', terminal);
      if (known === 'rotate') return await rotate(path, values, terminal);
      if (known === 'list') return await list(path, terminal);
      return await retire(path, id, terminal);
    } catch (error) {
      if (error instanceof KeyFileError) throw new OptionsError(error.message);
      throw error;
    }
  },
};

async function findPath(): Promise<string> {
  const { toKeysPath } = await import('../compose/token-keys.ts');
  // Not readConfig: other settings may be missing here, they concern the instance.
  return toKeysPath(readGateConfig({}));
}

async function create(path: string, algorithm: KeyAlgorithm, { print }: Terminal): Promise<number> {
  const now = systemClock.now();
  const key = createKey(algorithm, { now, signsFrom: now });
  if (!(await createKeyFile(path, { keys: [key] }))) {
    throw new OptionsError(`${path} exists; to add a key run: fairline keys rotate --file ${path}`);
  }
  print(`${path}: created with the key ${key.jwk.kid} (${algorithm}). Keep it secret.`);
  return 0;
}

async function rotate(
  path: string,
  { algorithm, after }: { algorithm: KeyAlgorithm | undefined; after: number },
  { print }: Terminal,
): Promise<number> {
  const file = await readKeyFile(path);
  const now = systemClock.now();
  const alg = algorithm ?? findSigningKey(file.keys, now)!.jwk.alg;
  const key = createKey(alg, { now, signsFrom: now + after * 1000 });
  const rotated = addKey(file, key, now);
  if (rotated.outcome === 'too-many') {
    throw new OptionsError(`${path} has ${MOST_KEYS} keys, the most that are allowed; retire old ones first`);
  }
  await writeKeyFile(path, rotated.keys);
  print(`${path}: the key ${key.jwk.kid} (${alg}) is published now and signs from ${toText(key.signsFrom)} on.`);
  return 0;
}

async function list(path: string, { print }: Terminal): Promise<number> {
  const file = await readKeyFile(path);
  const now = systemClock.now();
  for (const key of file.keys) {
    const { kid, alg } = key.jwk;
    const state = stateOf(key, file.keys, now).padEnd(8);
    print(`${kid}  ${alg}  ${state}  created ${toText(key.createdAt)}  signs from ${toText(key.signsFrom)}`);
  }
  const { secretsUntil } = file;
  if (secretsUntil !== undefined && secretsUntil > now) {
    print(`${SECRETS}  HS256  accepted  until ${toText(secretsUntil)}, for tokens of an earlier version`);
  }
  return 0;
}

async function retire(path: string, id: string | undefined, { print }: Terminal): Promise<number> {
  if (id === undefined) throw new OptionsError('missing key id; fairline keys list shows them');
  const file = await readKeyFile(path);
  if (id === SECRETS) {
    await writeKeyFile(path, { keys: file.keys });
    print(`${path}: tokens that secrets signed are no longer accepted.`);
    return 0;
  }
  const retired = retireKey(file, id, systemClock.now());
  if (retired.outcome === 'unknown') throw new OptionsError(`${path} has no key ${id}; see: fairline keys list`);
  if (retired.outcome === 'signs') {
    throw new OptionsError(`the key ${id} signs; replace it first: fairline keys rotate, with --after 0 at once`);
  }
  await writeKeyFile(path, retired.keys);
  print(`${path}: the key ${id} is retired; its tokens are refused within ten seconds.`);
  return 0;
}

function toText(time: number): string {
  return new Date(time).toISOString();
}

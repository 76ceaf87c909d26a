/**
 * The text of a setting. That of a secret may be in a file (`NAME_FILE`), as Docker and Kubernetes mount them, and may be
 * Base64 (`base64:…`), in the variable as well as in the file.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { BASE64_PREFIX, fromBase64 } from '../crypto/secret-bytes.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of a setting that matters here. */
interface TextSetting {
  secret?: boolean;
  takesBytes?: boolean;
}

const LONGEST_FILE_BYTES = 64 * 1024;

/** What is wrong with a setting. The message names it and never contains a secret. */
export class SettingTextError extends Error {
  override readonly name = 'SettingTextError';
}

/** undefined: not set, or set to nothing. */
export function findSettingText(name: string, setting: TextSetting, env: Environment): string | undefined {
  const plain = env[name] || undefined;
  if (setting.secret !== true) return plain;
  const path = env[fileSettingOf(name)] || undefined;
  if (path !== undefined && plain !== undefined) {
    throw new SettingTextError(`${name} and ${fileSettingOf(name)} are both set: set only one`);
  }
  const text = path === undefined ? plain : readSecretFile(fileSettingOf(name), path);
  return text?.startsWith(BASE64_PREFIX)
    ? decode(path === undefined ? name : fileSettingOf(name), setting, text)
    : text;
}

export function fileSettingOf(name: string): string {
  return `${name}_FILE`;
}

/** `upper` wins, also where one of them names a file and the other the secret itself. */
export function overlay(lower: Environment, upper: Environment): Environment {
  const set = Object.entries(upper).filter(([, value]) => value !== undefined && value !== '');
  const replaced = new Set(set.flatMap(([name]) => [name, fileSettingOf(name), name.replace(/_FILE$/, '')]));
  const kept = Object.entries(lower).filter(([name]) => !replaced.has(name));
  return Object.fromEntries([...kept, ...set]);
}

function readSecretFile(setting: string, path: string): string {
  const reject = (why: string) => new SettingTextError(`${setting}=${showPath(path)}: ${why}`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw reject('no such file; expected the path of a file that contains the secret');
  // Reading from a pipe or a device could wait for ever.
  if (!found.isFile()) throw reject('not a file; expected a file that contains only the secret');
  if (found.size > LONGEST_FILE_BYTES) throw reject(`over ${LONGEST_FILE_BYTES} bytes; expected only the secret`);
  const text = read(path, reject).replace(/\r?\n$/, '');
  if (text === '') throw reject('the file is empty; expected a file that contains the secret');
  return text;
}

function read(path: string, reject: (why: string) => Error): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw reject(`cannot be read (${(error as NodeJS.ErrnoException).code}); let the user of this process read it`);
  }
}

/** Somebody may have set the secret itself by mistake. */
function showPath(path: string): string {
  const isPath = /^(?:[/~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(path) || existsSync(path);
  return isPath ? path : '(not shown, it may be the secret itself)';
}

function decode(name: string, setting: TextSetting, text: string): string {
  const secret = fromBase64(text);
  if (secret === undefined) throw new SettingTextError(`${name}=(not shown): expected Base64 after base64:`);
  if (secret.startsWith(BASE64_PREFIX) && setting.takesBytes !== true) {
    throw new SettingTextError(`${name}=(not shown): expected Base64 of text after base64:`);
  }
  return secret;
}

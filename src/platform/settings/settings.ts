/**
 * Reads a table of settings from environment variables. Each has a type, a default, allowed values and a description. All
 * problems are reported at once, each with the setting, its value and what is expected.
 */

import { BASE64_PREFIX, secretBytes } from '../crypto/secret-bytes.ts';
import { redactValue } from '../redact.ts';
import { type Environment, findSettingText, SettingTextError } from './setting-text.ts';

/** For secrets that sign something. */
export const SECRET_MIN_LENGTH = 32;

export interface Setting<T> {
  /** In words, for the reference: `integer`, `on or off`. */
  type: string;
  default: T;
  /** The default as the reference shows it, if not the value itself. */
  defaultText?: string;
  allowed: string;
  about: string;
  /** True keeps the value out of error messages, and allows `NAME_FILE` and `base64:`. */
  secret?: boolean;
  /** A secret that may be any bytes, given as `base64:`. Those who use it take its bytes by `secretBytes`. */
  takesBytes?: boolean;
  /** Throws if the text is not allowed. The message of the error is not used. */
  parse: (text: string) => T;
}

export type SettingsTable = Record<string, Setting<unknown>>;
export type Values<Table extends SettingsTable> = {
  [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
};

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export function readSettings<Table extends SettingsTable>(table: Table, env: Environment): Values<Table> {
  const problems: string[] = [];
  const entries = Object.entries(table).map(([name, setting]) => {
    try {
      const text = findSettingText(name, setting, env);
      return [name, text === undefined ? setting.default : parse(name, setting, text)];
    } catch (error) {
      if (!(error instanceof SettingTextError)) throw error;
      problems.push(error.message);
      return [name, setting.default];
    }
  });
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return Object.fromEntries(entries) as Values<Table>;
}

function parse(name: string, setting: Setting<unknown>, text: string): unknown {
  try {
    return setting.parse(text);
  } catch {
    throw new SettingTextError(`${name}=${showValue(setting, text)}: expected ${setting.allowed}`);
  }
}

/** A refused value as an error message may show it. */
export function showValue({ secret: isSecret }: Pick<Setting<unknown>, 'secret'>, value: string): string {
  return isSecret === true ? '(not shown)' : redactValue(value);
}

interface Meaning {
  about: string;
}

export function integer(options: Meaning & { default: number; min: number; max: number }): Setting<number> {
  const { min, max } = options;
  return {
    type: 'integer',
    default: options.default,
    allowed: `a whole number from ${min} to ${max}`,
    about: options.about,
    parse: (text) => {
      const value = Number(text);
      return check(value, /^-?\d+$/.test(text) && value >= min && value <= max);
    },
  };
}

export function onOff(options: Meaning & { default: boolean; defaultText?: string }): Setting<boolean> {
  return {
    ...options,
    type: 'on or off',
    allowed: 'on, off, true or false',
    parse: (text) => check(['on', 'true'].includes(text), ['on', 'off', 'true', 'false'].includes(text)),
  };
}

export function oneOf<T extends string>(options: Meaning & { default: T; values: readonly T[] }): Setting<T> {
  const { values } = options;
  return {
    type: 'word',
    default: options.default,
    allowed: values.join(', '),
    about: options.about,
    parse: (text) => check(text as T, values.includes(text as T)),
  };
}

export function text(
  options: Meaning & {
    default: string | undefined;
    pattern: RegExp;
    allowed: string;
    defaultText?: string;
    secret?: boolean;
  },
): Setting<string | undefined> {
  return { ...options, type: 'text', parse: (value) => check(value, options.pattern.test(value)) };
}

/** `protocols`: `http:`. The value is hidden in errors, and so is a URL whose password is not percent-encoded. */
export function url(
  options: Meaning & {
    default: string | undefined;
    protocols: readonly string[];
    allowed: string;
    defaultText?: string;
    /** Whether it may contain user and password. */
    hasCredentials: boolean;
  },
): Setting<string | undefined> {
  const { protocols, hasCredentials, ...rest } = options;
  return {
    ...rest,
    type: 'text',
    secret: true,
    parse: (value) => {
      const { protocol, username, password, pathname, hash } = new URL(value);
      const isWhole = !`${pathname}${hash}`.includes('@');
      const isAllowed = hasCredentials || (username === '' && password === '');
      return check(value, protocols.includes(protocol) && isWhole && isAllowed);
    },
  };
}

export function secret(
  options: Meaning & { minLength: number; defaultText?: string; takesBytes?: boolean },
): Setting<string | undefined> {
  const { minLength, takesBytes = false, ...rest } = options;
  return {
    ...rest,
    type: 'secret',
    default: undefined,
    allowed: `at least ${minLength} characters`,
    secret: true,
    takesBytes,
    parse: (value) => {
      const { length } = value.startsWith(BASE64_PREFIX) ? secretBytes(value) : value;
      return check(value, length >= minLength);
    },
  };
}

export function filePath(about: string): Setting<string | undefined> {
  return text({ default: undefined, pattern: /^.+$/, allowed: 'a readable file', about });
}

export function list<T extends string>(
  options: Meaning & { default: readonly T[]; defaultText?: string; pattern: RegExp; allowed: string },
): Setting<readonly T[]> {
  return {
    ...options,
    type: 'list',
    parse: (value) => {
      const items = value.split(',').map((item) => item.trim());
      return check(items as T[], items.length > 0 && items.every((item) => options.pattern.test(item)));
    },
  };
}

function check<T>(value: T, isAllowed: boolean): T {
  if (!isAllowed) throw new Error('not allowed');
  return value;
}

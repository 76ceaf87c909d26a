/**
 * Reads command line options, `--name value`, with the same types of values as settings. All problems are reported at
 * once, each with the option, its value and what is expected.
 */
import { parseArgs } from 'node:util';
import { redactText, redactValue } from '../redact.ts';
import { type Setting, showValue, type Values } from './settings.ts';

export interface Option<T> extends Setting<T> {
  /** Stands for the value in the help. undefined: the option takes no value. */
  placeholder: string | undefined;
  isRepeatable: boolean;
}

export type OptionTable = Record<string, Option<unknown>>;

/** The command line is wrong. Shown with a hint at the help, without a stack. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

export interface ReadOptions<Table extends OptionTable> {
  values: Values<Table>;
  /** The given options as text, by name. */
  given: Record<string, string[]>;
  words: string[];
}

export function option<T>(placeholder: string, setting: Setting<T>): Option<T> {
  return { ...setting, placeholder, isRepeatable: false };
}

/** May be given several times; the default is none. */
export function repeatable<T>(placeholder: string, setting: Setting<T>): Option<T[]> {
  const parse = (text: string) => text.split('\n').map((line) => setting.parse(line));
  return { ...setting, default: [], defaultText: 'none', parse, placeholder, isRepeatable: true };
}

export function flag(about: string): Option<boolean> {
  return {
    type: 'flag',
    default: false,
    allowed: 'no value',
    about,
    parse: (text) => text === 'true',
    placeholder: undefined,
    isRepeatable: false,
  };
}

export function readOptions<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  words: { atMost: number } = { atMost: 0 },
): ReadOptions<Table> {
  const { given, positionals } = split(table, args);
  if (positionals.length > words.atMost) {
    throw new OptionsError(`unexpected argument "${redactValue(positionals[words.atMost]!)}"`);
  }
  return { values: parseOptions(table, given), given, words: positionals };
}

/** `given`: values as text, by option name. Unknown names are refused. */
export function parseOptions<Table extends OptionTable>(
  table: Table,
  given: Readonly<Record<string, readonly string[]>>,
): Values<Table> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(table, name));
  const problems = unknown.map((name) => `--${name}: unknown option`);
  const entries = Object.entries(table).map(([name, option]) => {
    const texts = given[name];
    if (texts === undefined) return [name, option.default];
    try {
      return [name, option.parse(option.isRepeatable ? texts.join('\n') : texts.at(-1)!)];
    } catch {
      const values = texts.map((text) => showValue(option, text));
      problems.push(`--${name} ${values.join(', ')}: expected ${option.allowed}`);
      return [name, option.default];
    }
  });
  if (problems.length > 0) throw new OptionsError(problems.join('\n'));
  return Object.fromEntries(entries) as Values<Table>;
}

function split(table: OptionTable, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { placeholder }]) => [
      name,
      { type: placeholder === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const given = Object.entries(values).map(([name, texts]) => [name, [texts].flat().map(String)]);
    return { given: Object.fromEntries(given) as Record<string, string[]>, positionals };
  } catch (error) {
    throw new OptionsError(redactText((error as Error).message.replace(/\. To specify a positional.*$/s, '')));
  }
}

const WIDTH = 100;
const INDENT = 2;
const NAME_WIDTH = 26;

/** One paragraph for each option: description, allowed values and default. */
export function describeOptions(table: OptionTable): string {
  return Object.entries(table)
    .map(([name, option]) => {
      const head = `--${name}${option.placeholder === undefined ? '' : ` ${option.placeholder}`}`;
      const lines = wrap(describe(option), WIDTH - INDENT - NAME_WIDTH);
      const first = head.length < NAME_WIDTH ? [head.padEnd(NAME_WIDTH) + lines.shift()!] : [head];
      return [...first, ...lines.map((line) => ' '.repeat(NAME_WIDTH) + line)]
        .map((line) => ' '.repeat(INDENT) + line)
        .join('\n');
    })
    .join('\n');
}

function describe({ about, allowed, default: value, defaultText, placeholder }: Option<unknown>): string {
  if (placeholder === undefined) return about;
  const told = defaultText ?? (value === undefined ? 'none' : String(value));
  return `${about} Allowed: ${allowed}. Default: ${told}.`;
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

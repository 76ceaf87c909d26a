/** The interface of a command, its help text, and its subcommands. */
import { describeOptions, OptionsError, type OptionTable, readOptions } from '../platform/settings/options.ts';

export interface Terminal {
  print(text: string): void;
  /** Writes to standard error: problems, and everything that is not the result. */
  fail(text: string): void;
  /** Rewrites the current line of standard error; undefined if it is not a terminal. */
  overwrite: ((text: string) => void) | undefined;
  columns: number;
}

export interface Command {
  /** One line, for the list of commands. */
  summary: string;
  /** The arguments after `fairline`, one line per form. */
  usage: readonly string[];
  /** One or two paragraphs on what it does. */
  about: string;
  options?: OptionTable;
  examples?: readonly string[];
  /** Resolves to the exit code; undefined for a command that keeps running until a signal. */
  run(args: string[], terminal: Terminal): Promise<number | undefined>;
}

export function helpOf({ usage, about, options, examples }: Command): string {
  const parts = [usage.map((line, i) => `${i === 0 ? 'Usage: ' : '       '}fairline ${line}`).join('\n'), about];
  if (options !== undefined) parts.push(`Options\n${describeOptions(options)}`);
  if (examples !== undefined) parts.push(`Examples\n${examples.map((line) => `  ${line}`).join('\n')}`);
  return parts.join('\n\n');
}

/** For commands whose only argument is a subcommand. */
export function requireSubcommand(expected: string, args: readonly string[]): void {
  const [given] = readOptions({}, args, { atMost: 1 }).words;
  if (given === undefined) throw new OptionsError(`missing subcommand; expected: ${expected}`);
  if (given !== expected) throw new OptionsError(`unknown subcommand "${given}"; expected: ${expected}`);
}

/** What each command of the command line is: how it is explained, and how it runs. */
import { describeOptions, type OptionTable } from '../platform/settings/options.ts';

export interface Terminal {
  print(text: string): void;
  /** To standard error: problems, and whatever is not the result. */
  fail(text: string): void;
  /** To standard error as it is, for a line that is written over; undefined where nobody watches. */
  overwrite: ((text: string) => void) | undefined;
  columns: number;
}

export interface Command {
  /** One line for the list of all commands. */
  summary: string;
  /** What follows `fairline`, one line for each form. */
  usage: readonly string[];
  /** A paragraph or two on what it does. */
  about: string;
  options?: OptionTable;
  examples?: readonly string[];
  /** Resolves to the exit status; a command that goes on in the background has none yet. */
  run(args: string[], terminal: Terminal): Promise<number | undefined>;
}

export function helpOf({ usage, about, options, examples }: Command): string {
  const parts = [usage.map((line, i) => `${i === 0 ? 'Usage: ' : '       '}fairline ${line}`).join('\n'), about];
  if (options !== undefined) parts.push(`Options\n${describeOptions(options)}`);
  if (examples !== undefined) parts.push(`Examples\n${examples.map((line) => `  ${line}`).join('\n')}`);
  return parts.join('\n\n');
}

/** Commands of two words, of which the second says what is done. */
import { OptionsError, readOptions } from '../platform/settings/options.ts';

export function requireWord(word: string, args: readonly string[]): void {
  const [given] = readOptions({}, args, { atMost: 1 }).words;
  if (given !== word)
    throw new OptionsError(`${given === undefined ? 'what to do' : `"${given}"`}: allowed is ${word}`);
}

/** The `fairline verify-draw` command: its options and help. */
import { option } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';
import { runVerifyDraw } from './check-draw.ts';
import type { Command } from './command.ts';

const anyText = (allowed: string, about: string) => text({ default: undefined, pattern: /^.+$/, allowed, about });

export const verifyDraw: Command = {
  summary: 'verify a published draw',
  usage: ['verify-draw <site-url> <event> [options]', 'verify-draw <draw.json> <entries.txt> [options]'],
  about: `Recomputes a draw from its published seed, whose hash was committed to before the draw, and the list of lots
that took part (docs/explanation/draw.md).

Exit status: 0 the draw is correct, 1 a check failed, 2 the draw could not be checked.`,
  options: {
    lot: option('LOT', anyText('a lot', 'Also prints the number that this lot drew.')),
    number: option('N', anyText('a number', 'Fails unless the lot drew this number.')),
    commitment: option(
      'C',
      anyText('64 hexadecimal digits', 'Fails unless the commitment is the one you noted before the draw.'),
    ),
  },
  examples: ['fairline verify-draw https://tickets.example.org spring-tour --lot 5f2c…'],
  run: (args, terminal) => runVerifyDraw(args, terminal),
};

/** `fairline verify-draw`. */
import { option } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';
import { runVerifyDraw } from './check-draw.ts';
import type { Command } from './command.ts';

const any = (allowed: string, about: string) => text({ default: undefined, pattern: /^.+$/, allowed, about });

export const verifyDraw: Command = {
  summary: 'check a draw from what is published of it',
  usage: ['verify-draw <url of the site> <event> [options]', 'verify-draw <draw.json> <entries.txt> [options]'],
  about: `Recomputes a draw by anyone's own means: from the seed that was committed to before it, and the list of those
who took part (docs/explanation/draw.md).

Exit status: 0 everything is right, 1 something is not, 2 it could not be checked.`,
  options: {
    ticket: option('T', any('a ticket', 'Also tells which number this ticket drew.')),
    number: option('N', any('a number', 'That the ticket must have drawn this number.')),
    commitment: option('C', any('64 hexadecimal digits', 'What you noted down before the draw: it must still be it.')),
  },
  examples: ['fairline verify-draw https://tickets.example.org spring-tour --ticket 5f2c…'],
  run: (args, terminal) => runVerifyDraw(args, terminal),
};

import { describe, expect, it } from 'vitest';
import { helpOf } from '../../src/cli/command.ts';
import { commands, helpOfAll } from '../../src/cli/commands.ts';
import { OptionsError, option, readOptions, repeatable } from '../../src/platform/settings/options.ts';
import { integer } from '../../src/platform/settings/settings.ts';

describe('the help', () => {
  it('lists every command, one line each', () => {
    const lines = helpOfAll().split('\n');
    for (const [name, { summary }] of Object.entries(commands)) {
      expect(lines.filter((line) => line.trim().startsWith(`${name} `) && line.endsWith(summary))).toHaveLength(1);
    }
  });

  it.each(Object.entries(commands))('of %s describes every option and fits a terminal', (name, command) => {
    const help = helpOf(command);
    expect(help).toMatch(new RegExp(`^Usage: fairline ${name}`));
    for (const option of Object.keys(command.options ?? {})) expect(help).toContain(`  --${option}`);
    const example = (line: string) => line.startsWith('  fairline') || line.startsWith('  PORT=');
    expect(help.split('\n').filter((line) => line.length > 110 && !example(line))).toEqual([]);
  });
});

describe('options', () => {
  const count = integer({ default: 3, min: 1, max: 9, about: 'How many.' });
  const table = { count: option('N', count), other: repeatable('N', count) };

  it('have defaults, and may be repeated where declared', () => {
    expect(readOptions(table, ['--other', '1', '--other=2']).values).toEqual({ count: 3, other: [1, 2] });
  });

  it('report every invalid value at once, with what is expected', () => {
    const read = () => readOptions(table, ['--count', '10', '--other', 'x']);
    expect(read).toThrow(OptionsError);
    expect(read).toThrow('--count 10: expected a whole number from 1 to 9\n--other x: expected');
    expect(() => readOptions(table, ['--cuont', '1'])).toThrow("Unknown option '--cuont'");
    expect(() => readOptions(table, ['word'])).toThrow('unexpected argument "word"');
  });
});

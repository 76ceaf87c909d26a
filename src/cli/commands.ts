/** All commands, in the order of the help text. */
import { audit } from './audit.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { gate } from './gate.ts';
import { importLine } from './import-line.ts';
import { keys } from './keys.ts';
import { migrate } from './migrate.ts';
import { pass } from './pass.ts';
import { records } from './records.ts';
import { rehearse } from './rehearse.ts';
import { serviceKeys } from './service-keys.ts';
import { simulate } from './simulate.ts';
import { start } from './start.ts';
import { stats } from './stats.ts';
import { verifyDraw } from './verify-draw.ts';

export const commands: Readonly<Record<string, Command>> = {
  start,
  gate,
  keys,
  pass,
  'service-keys': serviceKeys,
  'verify-draw': verifyDraw,
  migrate,
  'import-line': importLine,
  records,
  stats,
  audit,
  simulate,
  rehearse,
  doctor,
};

export function helpOfAll(): string {
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length)) + 3;
  const row = (name: string, summary: string) => `  ${name.padEnd(width)}${summary}`;
  return `Fairline: a self-hosted virtual waiting room and ticket shop.

Usage: fairline <command> [options]

${[
  ...names.map((name) => row(name, commands[name]!.summary)),
  row('help', 'show this help; for one command: fairline <command> --help'),
  row('version', 'show the version'),
].join('\n')}

Settings are environment variables: docs/reference/configuration.md
`;
}

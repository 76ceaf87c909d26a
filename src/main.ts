#!/usr/bin/env node
/** The entry point of the command line: finds the command and runs it. */
import { helpOf, type Terminal } from './cli/command.ts';
import { commands, helpOfAll } from './cli/commands.ts';
import { explainError } from './cli/explain-error.ts';
import { readVersion } from './cli/version.ts';
import { warmUpNextTick } from './platform/fast-http/next-tick-warm-up.ts';
import { OptionsError } from './platform/settings/options.ts';

warmUpNextTick();

const terminal: Terminal = {
  print: (text) => console.log(text),
  fail: (text) => console.error(text),
  overwrite: process.stderr.isTTY ? (text) => process.stderr.write(`\r\x1b[2K${text}`) : undefined,
  columns: process.stdout.columns ?? 80,
};

const [name = 'help', ...args] = process.argv.slice(2);
if (name === 'version' || name === '--version') console.log(readVersion());
else if (name === 'help' || name === '--help' || name === '-h') showHelp(args[0]);
else await run(name, args);

async function run(name: string, args: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`fairline: unknown command "${name}"\n\n${helpOfAll()}`);
    process.exitCode = 2;
  } else if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(command));
  } else {
    try {
      const status = await command.run(args, terminal);
      if (status !== undefined) process.exitCode = status;
    } catch (error) {
      if (error instanceof OptionsError) {
        console.error(`fairline ${name}: ${error.message}\nAll options: fairline ${name} --help`);
        process.exit(2);
      }
      console.error(explainError(error as Error));
      process.exit(1);
    }
  }
}

function showHelp(name: string | undefined): void {
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  console.log(command === undefined ? helpOfAll() : helpOf(command));
}

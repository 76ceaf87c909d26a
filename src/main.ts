#!/usr/bin/env node
/** The command line. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, readConfig, readGateConfig } from './config.ts';
import { DEMO_EVENT } from './demo-room.ts';
import { startGate } from './gate-process.ts';
import { migrate } from './migrate.ts';
import { UnusableDatabaseError } from './platform/database/database-errors.ts';
import { FolderInUseError } from './platform/folder-lock.ts';
import { JournalCorruptError } from './platform/journal-frames.ts';
import { UnusableRedisError } from './platform/redis/unusable-redis-error.ts';
import { SettingsError } from './platform/settings.ts';
import { rebuildStatistics, replayRecords } from './record-commands.ts';
import { type Running, start } from './start.ts';
import { runVerifyDraw } from './verify-draw-command.ts';

const HELP = `Fairline: a virtual waiting room that you run yourself.

Usage: fairline <command>

  start        run the waiting room until it is told to stop (SIGTERM, Ctrl-C)
  gate         stand before a site and let in only who has waited:
               fairline gate --upstream http://127.0.0.1:8080 [--rules FILE] [--line http://127.0.0.1:3000] [--port N]
  verify-draw  check a draw from what is published of it (docs/draw.md)
  records      fairline records replay: puts records that failed back to be handled, once the reason is mended
  stats        fairline stats rebuild: makes the statistics anew from the records
  migrate      make what the configured stores need: tables in DynamoDB
  help         show this
  version      show the version

Settings are environment variables; docs/configuration.md lists them all.
`;

const version = readVersion();
const [command = 'help'] = process.argv.slice(2);

switch (command) {
  case 'start':
    await runStart();
    break;
  case 'gate':
    await runGate();
    break;
  case 'verify-draw':
    process.exitCode = await runVerifyDraw(process.argv.slice(3), { print: console.log, fail: console.error });
    break;
  case 'migrate':
    await runTask(migrate);
    break;
  case 'records':
    await runOnly('replay', replayRecords);
    break;
  case 'stats':
    await runOnly('rebuild', rebuildStatistics);
    break;
  case 'version':
  case '--version':
    console.log(version);
    break;
  case 'help':
  case '--help':
    console.log(HELP);
    break;
  default:
    console.error(`fairline: there is no command "${command}"\n\n${HELP}`);
    process.exitCode = 2;
}

async function runStart(): Promise<void> {
  try {
    const config = readConfig();
    const running = await start(config, version);
    // A token that somebody configured is theirs to know; only one that was made up here has to be told.
    const isTrial = config.secrets.adminToken === undefined;
    console.log(isTrial ? welcome(running) : `Fairline ${version} listens on ${running.url}`);
    stopOnSignal(running);
  } catch (error) {
    console.error(explain(error as Error));
    process.exit(1);
  }
}

async function runGate(): Promise<void> {
  try {
    const running = await startGate(readGateConfig(readGateFlags()));
    console.log(`Fairline ${version}, the gate, listens on ${running.url}`);
    stopOnSignal(running);
  } catch (error) {
    console.error(explain(error as Error));
    process.exit(1);
  }
}

/** As the settings that they stand for. */
function readGateFlags(): Record<string, string | undefined> {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: process.argv.slice(3),
      options: { upstream: option, rules: option, line: option, port: option },
    });
    const flags = {
      GATE_UPSTREAM: values.upstream,
      GATE_RULES_FILE: values.rules,
      GATE_LINE_URL: values.line,
      PORT: values.port,
    };
    return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

/** A command of two words, of which there is one. */
async function runOnly(word: string, task: (config: Config) => Promise<string>): Promise<void> {
  if (process.argv[3] === word) return runTask(task);
  console.error(`fairline: there is no command "${process.argv.slice(2, 4).join(' ')}"\n\n${HELP}`);
  process.exitCode = 2;
}

async function runTask(task: (config: Config) => Promise<string>): Promise<void> {
  try {
    console.log(await task(readConfig()));
  } catch (error) {
    console.error(explain(error as Error));
    process.exitCode = 1;
  }
}

function welcome({ url, adminToken }: Running): string {
  return `
Fairline ${version} listens on ${url}

  health       ${url}/health   ${url}/ready   ${url}/metrics
  API          ${url}/openapi.json
  operator     Authorization: Bearer ${adminToken}

Try it. Join the line of the demo event, twice, and see the same place; then ask where you stand:

  curl -c jar -b jar -X POST ${url}/api/queue/check/${DEMO_EVENT}
  curl -c jar -b jar ${url}/api/queue/status/${DEMO_EVENT}

Or open the stream that tells it live, and says so when it is your turn:

  curl -N -c jar -b jar ${url}/events/${DEMO_EVENT}/tickets/waiting

As the operator, let in nobody more, then look at the room:

  curl -X PUT ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}' \\
       -H 'content-type: application/json' -d '{"maxActive": 0}'
  curl ${url}/api/admin/rooms/${DEMO_EVENT} -H 'authorization: Bearer ${adminToken}'

Stop with Ctrl-C; every place is kept for the next start.
`;
}

/** The first signal stops in good order, a second one at once. */
function stopOnSignal(running: Pick<Running, 'stop'>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      running.stop().then(
        () => process.exit(0),
        (error) => {
          console.error(explain(error));
          process.exit(1);
        },
      );
    });
  }
}

/** Mistakes that an operator can mend are told in a sentence; anything else with its stack. */
function explain(error: Error): string {
  if (error instanceof SettingsError) {
    return `fairline cannot start, because of these settings:\n${error.message}\n(docs/configuration.md lists them all)`;
  }
  const isTellable = [FolderInUseError, JournalCorruptError, UnusableDatabaseError, UnusableRedisError].some(
    (kind) => error instanceof kind,
  );
  if (isTellable) return `fairline: ${error.message}`;
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `fairline: the port is taken (${error.message}). Choose another one with PORT.`;
  }
  return `fairline: ${error.stack}`;
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

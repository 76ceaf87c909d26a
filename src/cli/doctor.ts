/** `fairline doctor`. */
import type { Config } from '../config/config.ts';
import { findMisspeltSettings, readConfig } from '../config/read-config.ts';
import type { Check } from '../doctor/check.ts';
import { ok, problem, warning } from '../doctor/check.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkKafka } from '../doctor/check-kafka.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import { checkProxies } from '../doctor/check-proxies.ts';
import { checkSecrets } from '../doctor/check-secrets.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { checkTokenKeys } from '../doctor/check-token-keys.ts';
import { checkUsers } from '../doctor/check-users.ts';
import { readFindings } from '../identity/address-findings-file.ts';
import { redactText } from '../platform/redact.ts';
import { flag, readOptions } from '../platform/settings/options.ts';
import { SettingsError } from '../platform/settings/settings.ts';
import type { Command } from './command.ts';

const options = { json: flag('Print the checks as JSON.') };

export const doctor: Command = {
  summary: 'check settings, stores, clocks and secrets',
  usage: ['doctor [options]'],
  about: `Reads the same settings as fairline start and checks, without changing anything: the version and policies of
Redis, the migrations of PostgreSQL, the tables in DynamoDB, the brokers and topics of Kafka, clocks, the
keys of tokens, the strength of secrets, DATA_DIR, and the limit of open files. Each line is ok, a warning
or a problem, and says what to do.

Exit code: 0 no problems (warnings are possible), 1 at least one problem.`,
  options,
  examples: ['fairline doctor', 'REDIS_URL=redis://redis:6379 fairline doctor --json'],
  async run(args, { print }) {
    const { values } = readOptions(options, args);
    const checks = (await runChecks()).map(redact);
    const problems = checks.filter(({ state }) => state === 'problem').length;
    const warnings = checks.filter(({ state }) => state === 'warning').length;
    if (values.json) print(JSON.stringify({ problems, warnings, checks }, null, 2));
    else print(`${checks.map(toLines).join('\n')}\n\n${summaryOf(problems, warnings)}`);
    return problems > 0 ? 1 : 0;
  },
};

/** Messages of drivers and paths may quote what was configured. */
function redact(check: Check): Check {
  return { ...check, what: redactText(check.what), found: redactText(check.found) };
}

async function runChecks(): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const advice = 'fix it and run again, nothing else was checked; all settings: docs/reference/configuration.md';
    return [...error.message.split('\n').map((line) => problem('settings', line, advice)), ...checkNames()];
  }
  return [
    ...checkNames(),
    ...checkSettings({
      host: config.host,
      trustProxy: config.trustProxy,
      cookieSecure: config.accounts.cookieSecure,
      journalSync: config.line.journalSync,
      hasRedis: config.redis !== undefined,
      previousSecrets: Object.entries(secretsOf(config))
        .filter(([name, value]) => name.endsWith('_PREVIOUS') && value !== undefined)
        .map(([name]) => name),
    }),
    ...checkProxies(config.trustProxy, await readFindings(config.dataDir), Date.now()),
    ...checkSecrets(secretsOf(config)),
    ...(await checkKeysOfTokens(config)),
    ...(await checkMachine(config.dataDir)),
    ...(await checkLineStore(config)),
    ...(await checkTierOne(config)),
    ...(await checkShop(config)),
    ...(await checkRecords(config)),
    ...(await checkUsers(config.users)),
  ];
}

/** A misspelt setting has no effect. */
function checkNames(): Check[] {
  const advice = 'rename the variable; all settings: docs/reference/configuration.md';
  return findMisspeltSettings().map((line) => warning('settings', line, advice));
}

function secretsOf({ secrets }: Config): Record<string, string | undefined> {
  return {
    ADMIN_TOKEN: secrets.adminToken,
    FAIRLINE_SECRET: secrets.root,
    QUEUE_ENTRY_TOKEN_SECRET: secrets.entryToken,
    QUEUE_ENTRY_TOKEN_SECRET_PREVIOUS: secrets.entryTokenPrevious,
    VWR_TOKEN_SECRET: secrets.vwrToken,
    VWR_TOKEN_SECRET_PREVIOUS: secrets.vwrTokenPrevious,
    AUTH_JWT_SECRET: secrets.auth,
    AUTH_JWT_SECRET_PREVIOUS: secrets.authPrevious,
    GUEST_SECRET: secrets.guest,
    GUEST_SECRET_PREVIOUS: secrets.guestPrevious,
    PAYMENT_WEBHOOK_SECRET: secrets.webhook,
    PAYMENT_WEBHOOK_SECRET_PREVIOUS: secrets.webhookPrevious,
    TICKET_SECRET: secrets.ticket,
    TICKET_SECRET_PREVIOUS: secrets.ticketPrevious,
  };
}

async function checkKeysOfTokens(config: Config): Promise<Check[]> {
  const { tokens, redis } = config;
  if (tokens.algorithm === 'HS256' && tokens.keysFile === undefined) {
    return [ok('keys of tokens', 'none: tokens are signed with secrets (HS256), which every verifier needs')];
  }
  const { toKeysPath } = await import('../compose/token-keys.ts');
  return checkTokenKeys(toKeysPath(config), redis === undefined && tokens.keysFile === undefined, Date.now());
}

/** The Redis client is loaded only when configured. */
async function checkLineStore({ redis }: Config): Promise<Check[]> {
  if (redis === undefined) return [ok('lines', 'embedded store in DATA_DIR, one process')];
  const { checkRedis } = await import('../doctor/check-redis.ts');
  return checkRedis(redis.address, redis.waitReplicas);
}

async function checkTierOne({ tier1 }: Config): Promise<Check[]> {
  if (tier1.dynamodb === undefined) return [];
  const { findMissingDynamoDbTables } = await import('../compose/dynamodb-stores.ts');
  try {
    const missing = await findMissingDynamoDbTables(tier1.dynamodb);
    if (missing.length === 0) return [ok('DynamoDB', 'both tables exist')];
    return [problem('DynamoDB', `missing tables: ${missing.join(', ')}`, 'run: fairline migrate')];
  } catch (error) {
    const advice = 'check AWS_REGION, the AWS credentials and VWR_DYNAMODB_ENDPOINT';
    return [problem('DynamoDB', (error as Error).message, advice)];
  }
}

async function checkShop({ shop }: Config): Promise<Check[]> {
  if (shop === undefined) return [];
  const { databaseSchema } = await import('../compose/database-schema.ts');
  return checkDatabase(
    shop.database,
    databaseSchema.migrations.map(({ name }) => name),
  );
}

async function checkRecords({ shop, records: { kafka, format } }: Config): Promise<Check[]> {
  if (shop === undefined) return [];
  if (kafka === undefined) return [ok('records', 'record log in the database')];
  const { surveyKafka } = await import('../compose/open-records.ts');
  return checkKafka({ ...kafka, format, survey: (topics) => surveyKafka(kafka, topics) });
}

const MARKS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' };

function toLines({ what, state, found, advice }: Check): string {
  const line = `${MARKS[state]}  ${what}: ${found}`;
  return advice === undefined ? line : `${line}\n         -> ${advice}`;
}

function summaryOf(problems: number, warnings: number): string {
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  if (problems + warnings === 0) return 'No problems found.';
  return `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`;
}

/** The only reader of the environment: the table of all settings, and the configuration read from it. */
import { findMisspelt } from '../platform/settings/misspelt.ts';
import { type Environment, fileSettingOf, overlay } from '../platform/settings/setting-text.ts';
import { readSettings, SettingsError, type SettingsTable, type Values } from '../platform/settings/settings.ts';
import { accountSettings, toAccountsConfig } from './account-settings.ts';
import type { Config } from './config.ts';
import { findDatabaseProblems } from './database-settings.ts';
import { gateSettings, toGateConfig } from './gate-settings.ts';
import { limitSettings, toLimits } from './limit-settings.ts';
import { findLineProblems, lineSettings, toLineConfig } from './line-settings.ts';
import { findMailProblems, mailSettings, toMailConfig } from './mail-settings.ts';
import { findNoticeProblems, noticeSettings, toNoticesConfig } from './notice-settings.ts';
import { findOperatorProblems, operatorSettings, toOperatorProvider } from './operator-settings.ts';
import { pageSettings, toPagesConfig } from './page-settings.ts';
import { posterSettings, toPostersConfig } from './poster-settings.ts';
import { findRecordsProblems, recordsSettings, toRecordsConfig } from './records-settings.ts';
import { roleNames } from './role-names.ts';
import { findUnsharedSecrets, secretSettings, toSecretsConfig } from './secret-settings.ts';
import { serverSettings, toRoles, toServerConfig } from './server-settings.ts';
import { shopSettings, toShopConfig } from './shop-settings.ts';
import { findStoreProblems, storeSettings, toRedisConfig } from './store-settings.ts';
import { synonyms } from './synonyms.ts';
import { tier1Settings, toTier1Config } from './tier1-settings.ts';
import { findMissingKeys, tokenSettings, toTokensConfig } from './token-settings.ts';
import { toTracingConfig, tracingSettings } from './tracing-settings.ts';
import { findUserProblems, toUsersConfig, userSettings } from './user-settings.ts';

/** In the order of docs/reference/configuration.md. */
export const settings = {
  ...serverSettings,
  ...storeSettings,
  ...lineSettings,
  ...tier1Settings,
  ...secretSettings,
  ...tokenSettings,
  ...userSettings,
  ...accountSettings,
  ...operatorSettings,
  ...mailSettings,
  ...limitSettings,
  ...gateSettings,
  ...shopSettings,
  ...recordsSettings,
  ...noticeSettings,
  ...pageSettings,
  ...posterSettings,
  ...tracingSettings,
};

type SettingValues = Values<typeof settings>;

export function readConfig(env: Environment = process.env): Config {
  const values = readSettings(settings, env);
  const config = toConfig(values);
  const problems = findProblems(values, config);
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return config;
}

/**
 * For `fairline gate`, which needs few settings and checks them itself. `flags` of the command line win over `env`, and
 * `env` over `kept`, the secrets of a file.
 */
export function readGateConfig(flags: Environment, env: Environment = process.env, kept: Environment = {}): Config {
  return toConfig(readSettings(settings, overlay(overlay(kept, env), flags)));
}

/** One line for each variable that looks like a misspelt setting. */
export function findMisspeltSettings(env: Environment = process.env): string[] {
  const known = Object.entries(settings as SettingsTable).flatMap(([name, { secret }]) =>
    secret === true ? [name, fileSettingOf(name)] : [name],
  );
  const found = findMisspelt({ known, synonyms, env });
  return found.map(({ name, meant }) => `${name} is no setting; did you mean ${meant}?`);
}

/** A variable that a rules file names: the secret of an access entry. */
export function findVariable(name: string, env: Environment = process.env): string | undefined {
  return env[name];
}

function toConfig(values: SettingValues): Config {
  const redis = toRedisConfig(values);
  const shop = toShopConfig(values, redis !== undefined);
  return {
    ...toServerConfig(values),
    redis,
    line: toLineConfig(values),
    tier1: toTier1Config(values),
    secrets: toSecretsConfig(values),
    tokens: toTokensConfig(values),
    accounts: toAccountsConfig(values),
    users: toUsersConfig(values),
    operatorProvider: toOperatorProvider(values),
    mail: toMailConfig(values),
    limits: toLimits(values),
    gate: toGateConfig(values),
    shop,
    records: toRecordsConfig(values),
    notices: toNoticesConfig(values),
    pages: toPagesConfig(values, shop !== undefined),
    posters: toPostersConfig(values),
    tracing: toTracingConfig(values),
  };
}

/** Values that are valid alone but not together. */
function findProblems(values: SettingValues, { redis, shop, users }: Config): string[] {
  return [
    ...findLineProblems(values),
    ...findRecordsProblems(values),
    ...findNoticeProblems(values),
    ...findMailProblems(values),
    ...findUserProblems(users),
    ...findOperatorProblems(values),
    ...(redis === undefined
      ? findEmbeddedProblems(values)
      : [...findUnsharedSecrets(values, shop !== undefined), ...findMissingKeys(values)]),
    ...findStoreProblems(values),
    ...findDatabaseProblems(values),
    ...(redis !== undefined && values.SHOP === 'on' && values.DATABASE_URL === undefined
      ? ['SHOP=on: requires DATABASE_URL when Redis is configured, because the embedded database serves one process']
      : []),
  ];
}

function findEmbeddedProblems({ FAIRLINE_ROLES: names }: SettingValues): string[] {
  if (toRoles(names).length === roleNames.length) return [];
  return [
    `FAIRLINE_ROLES=${names.join(',')}: expected all; to split roles over processes set REDIS_URL or REDIS_CLUSTER, ` +
      'because the embedded stores in DATA_DIR serve one process',
  ];
}

/** Names of the settings of the program, as manifests may use them. */
import { settings } from '../../src/config/read-config.ts';
import type { SettingsTable } from '../../src/platform/settings/settings.ts';

const table: SettingsTable = settings;

export const knownSettings: ReadonlySet<string> = new Set(Object.keys(table));

/** Those whose values no ConfigMap may have: secrets, and addresses with a password. */
export const secretNames: ReadonlySet<string> = new Set(
  Object.entries(table)
    .filter(([, { type, allowed }]) => type === 'secret' || allowed.includes('password@'))
    // A list of servers has a password only if there is one in it.
    .filter(([name]) => !['REDIS_CLUSTER', 'REDIS_SENTINELS'].includes(name))
    .map(([name]) => name),
);

/** Tier 1 on DynamoDB without the rest of the program. Shared by both Lambda functions. */
import { Registry } from 'prom-client';
import { openDynamoDbTier1 } from '../src/compose/dynamodb-stores.ts';
import { createTier1, type Tier1 } from '../src/compose/open-tier1.ts';
import { toRing } from '../src/compose/secrets.ts';
import { openTokenKeys } from '../src/compose/token-keys.ts';
import type { Config } from '../src/config/config.ts';
import { readConfig } from '../src/config/read-config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { SettingsError } from '../src/platform/settings/settings.ts';
import type { Tier1Store } from '../src/tier1/store/tier1-store.ts';

export const log = createLog('info');

export function openStore(config: Config): Tier1Store {
  const { dynamodb } = config.tier1;
  if (dynamodb === undefined) throw new SettingsError('VWR_STORE must be dynamodb: a Lambda function keeps no state');
  return openDynamoDbTier1(config, dynamodb, systemClock);
}

export async function openTier1(config: Config): Promise<Tier1> {
  const { secrets, tokens } = config;
  const { vwrToken, vwrTokenPrevious } = secrets;
  if (vwrToken === undefined) {
    throw new SettingsError('VWR_TOKEN_SECRET is not set, nor FAIRLINE_SECRET: all instances must share one secret');
  }
  if (tokens.algorithm !== 'HS256' && tokens.keysFile === undefined) {
    throw new SettingsError('TOKEN_KEYS_FILE is not set: expected a file in the package of the function');
  }
  const ring = toRing(vwrToken, vwrTokenPrevious);
  const registry = new Registry();
  const parts = { config, registry, clock: systemClock };
  // This function issues no entry tokens.
  const tokenKeys = await openTokenKeys({ ...parts, secrets: { entryToken: ring, vwrToken: ring }, log });
  return createTier1({ ...parts, store: openStore(config), secrets: ring, tokenKeys });
}

export { readConfig };

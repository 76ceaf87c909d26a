/** Tier 1 on DynamoDB without the rest of the program. Shared by both Lambda functions. */
import { Registry } from 'prom-client';
import { openDynamoDbTier1 } from '../src/compose/dynamodb-stores.ts';
import { createTier1, type Tier1 } from '../src/compose/open-tier1.ts';
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

export function openTier1(config: Config): Tier1 {
  const { vwrToken, vwrTokenPrevious } = config.secrets;
  if (vwrToken === undefined)
    throw new SettingsError('VWR_TOKEN_SECRET is not set: all instances must share one secret');
  const secrets: [string, ...string[]] = vwrTokenPrevious === undefined ? [vwrToken] : [vwrToken, vwrTokenPrevious];
  return createTier1({ config, store: openStore(config), secrets, registry: new Registry(), clock: systemClock });
}

export { readConfig };

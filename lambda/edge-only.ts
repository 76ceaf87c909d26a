/** Tier 1 on DynamoDB without the rest of the program: what both of its functions begin with, once per instance. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Config, readConfig } from '../src/config.ts';
import { openDynamoDbEdge } from '../src/dynamodb-stores.ts';
import type { EdgeStore } from '../src/edge/edge-store.ts';
import { createEdge, type Edge } from '../src/edge-context.ts';
import { systemClock } from '../src/platform/clock.ts';
import { SettingsError } from '../src/platform/settings.ts';

export const log = pino();

export function openStore(config: Config): EdgeStore {
  const { dynamodb } = config.edge;
  if (dynamodb === undefined) throw new SettingsError('VWR_STORE is not set to dynamodb: a function keeps no numbers');
  return openDynamoDbEdge(config, dynamodb, systemClock);
}

export function openEdge(config: Config): Edge {
  const { vwrToken, vwrTokenPrevious } = config.secrets;
  if (vwrToken === undefined)
    throw new SettingsError('VWR_TOKEN_SECRET is not set: each instance would make up its own');
  const secrets: [string, ...string[]] = vwrTokenPrevious === undefined ? [vwrToken] : [vwrToken, vwrTokenPrevious];
  return createEdge({ config, store: openStore(config), secrets, registry: new Registry(), clock: systemClock });
}

export { readConfig };

/** Typed twin of add-lot-sources.lua. */
import { loadScript, type RedisClient, runScript } from '../../../../platform/redis/scripts.ts';
import type { LotSource } from '../../lot-sources.ts';

const script = loadScript(new URL('add-lot-sources.lua', import.meta.url));

export interface AddLotSourcesArguments {
  keys: [lots: string, times: string];
  sources: readonly LotSource[];
  mostAddresses: number;
  keepSeconds: number;
}

/** The number of addresses that are kept. */
export async function addLotSources(client: RedisClient, options: AddLotSourcesArguments): Promise<number> {
  const { keys, sources, mostAddresses, keepSeconds } = options;
  const parts = sources.flatMap(({ address, lots, from, to }) => [address, lots, from, to]);
  return (await runScript(client, script, keys, [mostAddresses, keepSeconds, ...parts])) as number;
}

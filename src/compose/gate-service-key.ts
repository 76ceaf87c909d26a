/** The key by which a gate in its own process proves itself to the line. */
import type { Config } from '../config/config.ts';
import { createServiceKeys } from '../signing-keys/service-keys.ts';
import { toRing } from './secrets.ts';

/** undefined: the gate has neither SERVICE_KEY nor the secret that it is derived from. Then it only verifies. */
export function findServiceKey({ serviceKey, entryToken, entryTokenPrevious }: Config['secrets']): string | undefined {
  if (serviceKey !== undefined || entryToken === undefined) return serviceKey;
  return createServiceKeys(undefined, toRing(entryToken, entryTokenPrevious))[0];
}

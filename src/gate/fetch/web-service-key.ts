/** The service key of a gate in an edge runtime: the same text as in src/signing-keys/service-keys.ts, which needs Node. */
import { SERVICE_KEY_LABEL } from '../../signing-keys/token-kinds.ts';
import { deriveKey } from './web-verification-keys.ts';

export function createWebServiceKey(entrySecret: string): Promise<string> {
  return deriveKey(entrySecret, SERVICE_KEY_LABEL);
}

/** Authenticates servers: gates in other processes, and the site's own backend. */
import { isSameSecret } from '../platform/jwt/tokens.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { OperatorRequest, Operators } from './operators.ts';
import { bearerOf } from './visitor.ts';

export interface Services {
  /** Says who asks: a service key as bearer token, or an operator. Otherwise throws as Operators.require does. */
  require(request: OperatorRequest): Promise<'service' | 'operator'>;
}

export function createServices(keys: KeyRing, operators: Pick<Operators, 'require'>): Services {
  return {
    async require(request) {
      const { authorization } = request.headers;
      const given = authorization === undefined ? undefined : bearerOf(authorization);
      if (given !== undefined && keys.some((key) => isSameSecret(given, key))) return 'service';
      await operators.require(request);
      return 'operator';
    },
  };
}

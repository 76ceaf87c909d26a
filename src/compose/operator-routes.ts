/** The endpoints of operators' roles, service keys and the sign-in at an identity provider. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorListRoutes } from '../identity/http/operator-list-routes.ts';
import { providerRoutes } from '../identity/http/provider-routes.ts';
import { serviceKeyRoutes } from '../identity/http/service-key-routes.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import type { Context } from './context.ts';

export interface OperatorRoleParts {
  signInsPerAddress: RateLimit;
  isSecure: (request: FastifyRequest) => boolean;
}

export function registerOperatorRoles(app: FastifyInstance, context: Context, parts: OperatorRoleParts): void {
  const { operators, operatorServices, config, clock } = context;
  const now = () => clock.now();
  const { publicUrl } = config.mail;
  for (const prefix of ['/api', '/api/v1']) {
    app.register(operatorListRoutes, { prefix, operators });
    app.register(serviceKeyRoutes, { prefix, operators, now });
    const { signIn } = operatorServices;
    app.register(providerRoutes, { prefix, operators, signIn, ...parts, publicUrl, now });
  }
}

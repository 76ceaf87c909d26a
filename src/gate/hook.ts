/** The gate inside a Fastify application, as an onRequest hook. */
import type { onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../http/errors.ts';
import type { Guard } from './guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate; undefined if the rule requires no token. */
    admitted: Admitted | undefined;
  }
}

export interface Admitted {
  /** The event of the tokens. A route whose body names an event must compare them. */
  eventId: string | undefined;
  visitor: string | undefined;
}

/** `app.decorateRequest('admitted', undefined).addHook('onRequest', gateHook(guard))`. */
export function gateHook(guard: Guard): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { method, raw, headers } = request;
    const decision = await guard({ method, target: raw.url ?? '', headers });
    if (decision.outcome === 'redirect') return reply.redirect(decision.to, 302);
    if (decision.outcome === 'deny') {
      const { code, message, redirectTo } = decision;
      throw new AppError(code, {
        ...(message === undefined ? {} : { message }),
        ...(redirectTo === undefined ? {} : { redirectTo }),
      });
    }
    if (decision.require !== 'none') request.admitted = { eventId: decision.eventId, visitor: decision.visitor };
  };
}

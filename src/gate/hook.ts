/** The gate inside a Fastify application: a hook before every route of the scope that it is added to. */
import type { onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../http/errors.ts';
import type { Guard } from './guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the gate found out; undefined where no rule asked for anything. */
    admitted: Admitted | undefined;
  }
}

export interface Admitted {
  /** The event that the tokens are for. A route whose body names an event must compare. */
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

/** The gate inside a Fastify application, as an onRequest hook. */
import type { onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../http/errors.ts';
import { type AdmittedVisitor, toAdmitted } from './decision/pass-headers.ts';
import { toAnswer } from './decision/refusal-answer.ts';
import type { Guard } from './guard.ts';
import { hasManyHosts, MANY_HOSTS, setPassHeaders } from './in-process-headers.ts';
import { toAnswerHeaders } from './sessions/answer-headers.ts';
import { watchResponse } from './watch-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the gate; undefined if no token was required. */
    admitted: AdmittedVisitor | undefined;
  }
}

/** `app.decorateRequest('admitted', undefined).addHook('onRequest', gateHook(guard))`. */
export function gateHook(guard: Guard): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { method, raw, headers } = request;
    if (hasManyHosts(raw)) throw new AppError('BAD_REQUEST', { message: MANY_HOSTS });
    const isSecure = () => request.protocol === 'https';
    const { host, ip: address } = request;
    const decision = await guard.decide({ method, target: raw.url ?? '', headers, host, address, isSecure });
    if (decision.outcome === 'redirect') return reply.redirect(decision.to, 302);
    if (decision.outcome === 'deny' && decision.page !== undefined) {
      const { status, headers: answered, body } = toAnswer(decision);
      return reply.code(status).headers(answered).send(body);
    }
    if (decision.outcome === 'deny') {
      const { code, message, redirectTo, retryAfterSeconds } = decision;
      throw new AppError(code, {
        ...(message === undefined ? {} : { message }),
        ...(redirectTo === undefined ? {} : { redirectTo }),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      });
    }
    const passedAt = performance.now();
    watchResponse(reply.raw, (head) => {
      guard.observe(decision, { ...head, durationMs: performance.now() - passedAt });
      return toAnswerHeaders(decision, head.endsSession);
    });
    request.admitted = toAdmitted(decision);
    setPassHeaders(raw, decision);
  };
}

/** The error responses of `fairline gate`: in the form that all endpoints share, with a trace id that the log has too. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { type ErrorCode, errorKinds } from '../../http/errors.ts';
import type { ClientErrorKind } from '../../platform/http-server/client-errors.ts';
import { type RefusalAnswer, toErrorAnswer, toErrorPage } from '../decision/refusal-answer.ts';
import { FullError } from './destination.ts';
import type { Failure } from './failures.ts';
import type { CountRefusal, RefusalReason } from './refusals.ts';
import type { Flaw } from './request-flaws.ts';

export interface AnswerErrors {
  traceIdOf(request: IncomingMessage): string;
  toFlaw(flaw: Flaw, request: IncomingMessage): RefusalAnswer;
  toWrongUpgrade(request: IncomingMessage): RefusalAnswer;
  /** No site of this gate has the host of the request. */
  toUnknownHost(request: IncomingMessage): RefusalAnswer;
  /** One address has too many requests or connections. */
  toTooMany(reason: RefusalReason, address: string | undefined, request?: IncomingMessage): RefusalAnswer;
  /** A request that passed got no response. */
  toFailure(failure: Failure, error: Error, request: IncomingMessage): RefusalAnswer;
  /** What the HTTP parser refused. */
  toClientError(kind: ClientErrorKind): RefusalAnswer;
}

/** Waiting pages poll when a stream is refused, so a retry need not be soon. */
const BUSY_SECONDS = 10;
const TOO_MANY_SECONDS = 2;
const REASONS = { request: 'requests', upload: 'uploads', stream: 'streams' } as const;
const CLIENT_ERRORS: Readonly<Record<ClientErrorKind, ErrorCode>> = {
  malformed: 'BAD_REQUEST',
  'headers-too-large': 'HEADERS_TOO_LARGE',
  'body-too-large': 'BODY_TOO_LARGE',
  'too-slow': 'REQUEST_TIMEOUT',
};

export function createErrorAnswers(
  { log, countRefusal }: { log: Logger; countRefusal: CountRefusal },
  createId: (request: Pick<IncomingMessage, 'headers'>) => string,
): AnswerErrors {
  const answer = (code: ErrorCode, more: { message?: string; retryAfterSeconds?: number }, request = NO_REQUEST) =>
    toErrorAnswer(errorKinds[code].status, code, { ...more, traceId: createId(request) });

  return {
    traceIdOf: createId,
    toFlaw({ code, message }, request) {
      countRefusal('malformed');
      return answer(code, { message }, request);
    },
    toWrongUpgrade(request) {
      return answer('BAD_REQUEST', { message: 'Unsupported upgrade; only websocket is supported.' }, request);
    },
    toUnknownHost(request) {
      countRefusal('unknown_host');
      return answer('UNKNOWN_HOST', {}, request);
    },
    toTooMany(reason, address, request) {
      countRefusal(reason, { address });
      const message = 'Too many requests at once from this IP address. Retry after the time in Retry-After.';
      return answer('RATE_LIMITED', { message, retryAfterSeconds: TOO_MANY_SECONDS }, request);
    },
    toFailure(failure, error, request) {
      if (error instanceof FullError) countRefusal(REASONS[error.occupation]);
      const wantsPage = request.headers.accept?.includes('text/html') ?? false;
      const language = request.headers['accept-language'];
      if (failure === 'GATE_BUSY') {
        return wantsPage ? toErrorPage(503, language) : answer(failure, { retryAfterSeconds: BUSY_SECONDS }, request);
      }
      if (failure === 'REQUEST_TIMEOUT') countRefusal('slow_upload');
      if (failure === 'BAD_REQUEST') countRefusal('malformed');
      if (failure === 'REQUEST_TIMEOUT' || failure === 'BAD_REQUEST') return answer(failure, {}, request);
      const traceId = createId(request);
      log.warn({ err: error, failure, method: request.method, traceId }, 'upstream did not respond');
      const status = errorKinds[failure].status;
      return wantsPage ? toErrorPage(status, language) : toErrorAnswer(status, failure, { traceId });
    },
    toClientError(kind) {
      countRefusal(kind === 'too-slow' ? 'slow_upload' : 'malformed');
      return answer(CLIENT_ERRORS[kind], {});
    },
  };
}

const NO_REQUEST: Pick<IncomingMessage, 'headers'> = { headers: {} };

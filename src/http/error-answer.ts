/**
 * Turns every error into the response `{"error": {code, message, trace_id, fields?}, "message"}`. The message is repeated
 * beside `error` for clients that show `message`, or else `error` itself, as a text.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isDatabaseAway } from '../platform/database/database-errors.ts';
import type { ClientErrorAnswer, ClientErrorKind } from '../platform/http-server/client-errors.ts';
import {
  defaultHeaders,
  documentHeaders,
  type ErrorReply,
  type FailedRequest,
  type Refusals,
} from '../platform/http-server/response-policy.ts';
import { StoreUnavailableError } from '../platform/store-unavailable-error.ts';
import { AppError, type ErrorCode } from './errors.ts';
import { toFieldProblems } from './schema-problems.ts';

const CODES_OF_FASTIFY: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_MAX_PARAM_LENGTH: 'URI_TOO_LONG',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
};
const CODES_OF_CLIENT_ERRORS: Readonly<Record<ClientErrorKind, ErrorCode>> = {
  malformed: 'BAD_REQUEST',
  'headers-too-large': 'HEADERS_TOO_LARGE',
  'body-too-large': 'BODY_TOO_LARGE',
  'too-slow': 'REQUEST_TIMEOUT',
};
/** Its own message repeats the URL. */
const BAD_URL = 'FST_ERR_BAD_URL';
const STORE_RETRY_SECONDS = 2;
const STOPPING_RETRY_SECONDS = 1;

/** What the response policy of the HTTP server refuses. */
export const refusals: Refusals = {
  crossSite: () => new AppError('CROSS_SITE'),
  missingHost: () => new AppError('BAD_REQUEST', { message: 'The Host header is missing. Send the host of the URL.' }),
  wrongMethod: () => new AppError('METHOD_NOT_ALLOWED'),
  stopping: () => new AppError('STOPPING', { retryAfterSeconds: STOPPING_RETRY_SECONDS }),
  clientError: answerClientError,
};

/** An error as a page, for a browser that shows it. */
export interface ErrorPage {
  html: string;
  headers: Readonly<Record<string, string>>;
}

export interface ErrorPageRequest {
  status: number;
  id: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** undefined: the caller gets JSON. */
export type FindErrorPage = (request: ErrorPageRequest) => ErrorPage | undefined;

const withoutPages: FindErrorPage = () => undefined;

export function createErrorAnswer(log: Logger, findPage: FindErrorPage = withoutPages) {
  return (error: FastifyError, request: FailedRequest, reply: ErrorReply): void => {
    const appError = toAppError(error, request.routeOptions.bodyLimit);
    if (appError.code === 'INTERNAL') {
      log.error({ err: error, traceId: request.id, route: request.routeOptions.url }, 'request failed');
    }
    sendError(appError, request, reply, findPage);
  };
}

export function createNotFoundAnswer(findPage: FindErrorPage = withoutPages) {
  return (request: FastifyRequest, reply: FastifyReply): void =>
    sendError(new AppError('NOT_FOUND'), request, reply, findPage);
}

/** Where nobody navigates. */
export const answerNotFound = createNotFoundAnswer();

/** For what Node refuses before there is a request, so without any of its headers. */
function answerClientError(kind: ClientErrorKind): ClientErrorAnswer {
  const error = new AppError(CODES_OF_CLIENT_ERRORS[kind]);
  const id = randomBytes(9).toString('base64url');
  const { code, message } = error;
  const body = JSON.stringify({ error: { code, message, trace_id: id }, message });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    ...defaultHeaders,
    ...documentHeaders,
  };
  return { status: error.status, headers, body };
}

function sendError(error: AppError, request: FailedRequest, reply: ErrorReply, findPage: FindErrorPage): void {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  reply.header('x-request-id', request.id);
  const { id, url, headers } = request;
  const page = url === undefined ? undefined : findPage({ status: error.status, id, url, headers });
  if (page !== undefined) {
    for (const [name, value] of Object.entries(page.headers)) reply.header(name, value);
    reply.header('content-type', 'text/html; charset=utf-8');
    reply.code(error.status).send(page.html);
    return;
  }
  reply.code(error.status).send({
    error: {
      code: error.code,
      message: error.message,
      trace_id: request.id,
      ...(error.fields === undefined ? {} : { fields: error.fields }),
    },
    message: error.message,
    ...error.body,
    ...(error.redirectTo === undefined ? {} : { redirectTo: error.redirectTo }),
  });
}

function toAppError(error: FastifyError, bodyLimit: number | undefined): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError || isDatabaseAway(error)) {
    return new AppError('STORE_UNAVAILABLE', { retryAfterSeconds: STORE_RETRY_SECONDS });
  }
  if (error.validation !== undefined) {
    const fields = toFieldProblems(error.validation, error.validationContext ?? 'request');
    return new AppError('INVALID_INPUT', { message: fields.map(({ message }) => message).join('; '), fields });
  }
  const known = CODES_OF_FASTIFY[error.code];
  if (known === 'BODY_TOO_LARGE' && bodyLimit !== undefined) {
    return new AppError(known, {
      message: `The request body exceeds the limit of this endpoint (${bodyLimit / 1024} KB).`,
    });
  }
  if (known !== undefined) return new AppError(known);
  if (error.code === BAD_URL) {
    return new AppError('BAD_REQUEST', { message: 'The path is not valid: check its percent-encoding (RFC 3986).' });
  }
  const isCallersFault = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return isCallersFault ? new AppError('BAD_REQUEST', { message: error.message }) : new AppError('INTERNAL');
}

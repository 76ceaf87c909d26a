/** Which errors an endpoint can give: those that it declares, and those that follow from the rest of its description. */
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { type ErrorCode, errorKinds } from '../errors.ts';
import { errorsOfCallers } from './callers.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** What the endpoint itself refuses. What every endpoint of its kind refuses is added to it. */
    errors?: readonly ErrorCode[];
  }
}

export interface DescribedRoute {
  method: string;
  url: string;
  schema: FastifySchema;
  config: FastifyContextConfig | undefined;
}

/** Responses to any request, also to one for another address, so they are in no operation. */
export const errorsOfAnyRequest: readonly ErrorCode[] = ['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'];

const READING: readonly string[] = ['GET', 'HEAD'];
/** These read no store, unless they say so. */
const WITHOUT_STORE: readonly string[] = ['pages', 'operations'];

export function errorsOfRoute({ method, url, schema, config }: DescribedRoute): ErrorCode[] {
  const { params, querystring, headers, body, tags = [], security = [], errors = [] } = schema;
  const isReading = READING.includes(method);
  const isValidated = [params, querystring, headers, body].some((part) => part !== undefined);
  const isCrossSiteRefused = config?.crossSite === undefined ? !isReading : config.crossSite === 'refused';
  const codes = new Set<ErrorCode>(['BAD_REQUEST', 'INTERNAL', 'STOPPING', ...errors, ...errorsOfCallers(security)]);
  const add = (isPossible: boolean, ...more: ErrorCode[]) => {
    if (isPossible) for (const code of more) codes.add(code);
  };
  add(isValidated, 'INVALID_INPUT');
  add(url.includes('/:'), 'NOT_FOUND', 'URI_TOO_LONG');
  add(!isReading, 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  add(isCrossSiteRefused, 'CROSS_SITE');
  add(!tags.some((tag) => WITHOUT_STORE.includes(tag)), 'STORE_UNAVAILABLE');
  return [...codes].sort((a, b) => errorKinds[a].status - errorKinds[b].status || a.localeCompare(b));
}

/**
 * The gate in Lambda@Edge, on viewer requests, in front of CloudFront's cache and origin. Lambda@Edge has no environment
 * variables, so `npm run bundle:edge` compiles the configuration in.
 */
import { isProven, type Refusal } from '../src/gate/decision/decision.ts';
import { CDN_HEADER, toPassHeaders } from '../src/gate/decision/pass-headers.ts';
import { toAnswer } from '../src/gate/decision/refusal-answer.ts';
import { createEdgeGate, type EdgeGateOptions } from '../src/gate/fetch/edge-gate.ts';
import { toKeptHeaders } from '../src/gate/upstream-headers.ts';

type CloudFrontHeaders = Record<string, { key?: string; value: string }[]>;

export interface CloudFrontRequest {
  /** The visitor's address, as CloudFront sees it. */
  clientIp?: string;
  method: string;
  /** The path as the visitor sent it. */
  uri: string;
  querystring: string;
  headers: CloudFrontHeaders;
}

export interface CloudFrontResponse {
  status: string;
  headers: CloudFrontHeaders;
  body: string;
}

export interface CloudFrontEvent {
  Records: { cf: { request: CloudFrontRequest } }[];
}

export type EdgeHandler = (event: CloudFrontEvent) => Promise<CloudFrontRequest | CloudFrontResponse>;

/** CloudFront sets these itself and rejects a response that contains them. */
const READ_ONLY_HEADERS = ['content-length'];
/** CloudFront rejects a viewer request in which a function has changed or removed one of these. */
const READ_ONLY_REQUEST_HEADERS = ['content-length', 'host', 'transfer-encoding', 'via'];

export function createEdgeHandler(options: EdgeGateOptions): EdgeHandler {
  // On a viewer request the function cannot set a cookie of the response: what is behind it renews.
  const gate = createEdgeGate({ ...options, renews: false });
  return async ({ Records: [record] }) => {
    const { request } = record!.cf;
    const { clientIp: address, method, uri, querystring } = request;
    const target = querystring === '' ? uri : `${uri}?${querystring}`;
    const decision = await gate({ method, target, headers: toPlain(request.headers), address });
    if (decision.outcome !== 'pass') return toResponse(decision);
    const { cdn } = options.secrets ?? {};
    const proof = cdn !== undefined && isProven(decision) ? { [CDN_HEADER]: cdn } : {};
    const visible = withoutNames(request.headers, decision.withheld);
    const headers = { ...keepHeaders(visible), ...toCloudFront({ ...proof, ...toPassHeaders(decision) }) };
    const [path = ''] = decision.target.split('?');
    return { ...request, uri: path, headers };
  };
}

function withoutNames(headers: CloudFrontHeaders, names: readonly string[] = []): CloudFrontHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Without X-Forwarded-For: CloudFront would append the visitor's address to what the visitor sent. */
function keepHeaders(headers: CloudFrontHeaders): CloudFrontHeaders {
  const kept = new Set(toKeptHeaders(Object.entries(toPlain(headers)).flat()).map(([name]) => name));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => kept.has(name) || READ_ONLY_REQUEST_HEADERS.includes(name)),
  );
}

function toCloudFront(headers: Record<string, string>): CloudFrontHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [{ key: name, value }]]));
}

function toPlain(headers: CloudFrontHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      values.map(({ value }) => value).join(name === 'cookie' ? '; ' : ', '),
    ]),
  );
}

function toResponse(refusal: Refusal): CloudFrontResponse {
  const { status, headers, body } = toAnswer(refusal);
  const kept = Object.entries(headers).filter(([name]) => !READ_ONLY_HEADERS.includes(name));
  return { status: String(status), headers: toCloudFront(Object.fromEntries(kept)), body };
}

/** Who asks, as far as a server may believe it: only what a trusted proxy says counts for more than the connection. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import proxyAddr from '@fastify/proxy-addr';

/** A request, in what doors go by. Fastify's is one. */
export interface Caller {
  /** The trace id. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly protocol: string;
}

/** What a door says beside its answer. Fastify's reply is one. */
export interface AnswerHead {
  header(name: string, value: string | number): unknown;
}

export interface Callers {
  addressOf(request: IncomingMessage): string;
  protocolOf(request: IncomingMessage): string;
}

export function createCallers(trustedProxies: readonly string[]): Callers {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return {
    addressOf: (request) => proxyAddr(request, isTrusted),
    protocolOf(request) {
      const { socket, headers } = request;
      const told = headers['x-forwarded-proto'];
      if (typeof told === 'string' && isTrusted(socket.remoteAddress ?? '', 0)) return told.split(',').at(-1)!.trim();
      return (socket as TLSSocket).encrypted === true ? 'https' : 'http';
    },
  };
}

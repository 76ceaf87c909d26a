/** Client address and protocol. X-Forwarded headers count only when a trusted proxy sent them. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import proxyAddr from '@fastify/proxy-addr';

/** The part of a request that handlers use; Fastify's request has it too. */
export interface Caller {
  /** The trace id. */
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly protocol: string;
}

/** Where handlers set response headers; Fastify's reply has it too. */
export interface AnswerHead {
  header(name: string, value: string | number): unknown;
}

export interface Callers {
  addressOf(request: IncomingMessage): string;
  protocolOf(request: IncomingMessage): string;
}

export function createCallers(trustedProxies: readonly string[]): Callers {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  /** Parsing an address costs a microsecond, and a connection carries many requests. */
  const known = new WeakMap<Socket, boolean>();
  const isTrustedPeer = (socket: Socket): boolean => {
    const found = known.get(socket);
    if (found !== undefined) return found;
    const isPeer = isTrusted(socket.remoteAddress ?? '', 0);
    known.set(socket, isPeer);
    return isPeer;
  };
  return {
    addressOf(request) {
      // Without the header it is the peer, no matter which proxies are trusted.
      const isForwarded = request.headers['x-forwarded-for'] !== undefined;
      return isForwarded ? proxyAddr(request, isTrusted) : (request.socket.remoteAddress as string);
    },
    protocolOf(request) {
      const { socket, headers } = request;
      const forwarded = headers['x-forwarded-proto'];
      if (typeof forwarded === 'string' && isTrustedPeer(socket)) {
        return forwarded.split(',').at(-1)!.trim();
      }
      return (socket as TLSSocket).encrypted === true ? 'https' : 'http';
    },
  };
}

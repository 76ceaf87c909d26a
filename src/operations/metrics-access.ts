/**
 * Who may read /metrics on the port that visitors use: a client with METRICS_TOKEN. Without a token and without a port of
 * its own, clients on the same machine, so that `npm start` needs no settings.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { isSameSecret } from '../platform/jwt/tokens.ts';

export interface MetricsRequest {
  headers: IncomingHttpHeaders;
  /** The address of the connection, not that of X-Forwarded-For. */
  peer: string;
}

export interface MetricsAccess {
  token: string | undefined;
  /** False if there is a port for metrics, or a proxy in front: then every client seems to be on this machine. */
  allowLocal: boolean;
}

const LOOPBACK = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/;
/** A page whose host name was pointed at this machine has another Host. */
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;
/** A proxy adds one of these. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

export function mayReadMetrics({ headers, peer }: MetricsRequest, { token, allowLocal }: MetricsAccess): boolean {
  const { authorization, host } = headers;
  if (token !== undefined) return isSameSecret(authorization ?? '', `Bearer ${token}`);
  return (
    allowLocal &&
    LOOPBACK.test(peer) &&
    LOCAL_HOST.test(host ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined)
  );
}

/**
 * Why a connection gets nowhere: connects once more, by itself, and looks at the handshake. Drivers often say only that the
 * connection was closed or that nobody answered, because a server that expects TLS and a client that does not, or the
 * reverse, wait for each other.
 */
import { connect as connectPlain } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { explainTlsError, isNotTls } from './tls-errors.ts';

const TIMEOUT_MS = 1_000;

export interface ExplainedPort {
  host: string;
  port: number;
  /** What the client uses; undefined: no TLS. */
  tls: ConnectionOptions | undefined;
  /** What the settings of the store begin with, such as REDIS_TLS. */
  stem: string;
  /** How to turn TLS on, and off. */
  advice: { on: string; off: string };
  /** A text that a server without TLS answers at once; without it, silence is not explained. */
  hello?: string;
}

/** undefined: nothing wrong with TLS here. */
export async function explainPort(port: ExplainedPort): Promise<string | undefined> {
  const { host, tls, stem, advice } = port;
  if (tls === undefined) {
    const isTls = await handshake({ host, port: port.port, rejectUnauthorized: false });
    return isTls === 'done' || isAlert(isTls) ? `it expects TLS: ${advice.on}` : undefined;
  }
  const outcome = await handshake({ host, port: port.port, ...tls });
  if (outcome === 'done') return undefined;
  if (outcome instanceof Error) {
    return isNotTls(outcome) ? `it does not speak TLS: ${advice.off}` : explainTlsError(outcome, stem);
  }
  if (port.hello === undefined || !(await answersPlain(port, port.hello))) return undefined;
  return `it does not speak TLS: ${advice.off}`;
}

type Handshake = 'done' | 'no answer' | Error;

function handshake(options: ConnectionOptions): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connectTls({ ...options, timeout: TIMEOUT_MS });
    const finish = (outcome: Handshake) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('secureConnect', () => finish('done'));
    socket.once('error', finish);
    socket.once('timeout', () => finish('no answer'));
    socket.once('close', () => finish('no answer'));
  });
}

/** An alert is a word of TLS, too. */
function isAlert(outcome: Handshake): boolean {
  return outcome instanceof Error && /alert/i.test(outcome.message);
}

function answersPlain({ host, port }: ExplainedPort, hello: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host, port, timeout: TIMEOUT_MS }, () => socket.write(hello));
    const finish = (isPlain: boolean) => {
      socket.destroy();
      resolve(isPlain);
    };
    socket.once('data', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
    socket.once('close', () => finish(false));
  });
}

/**
 * Pings one server all the time, so that a server that hangs is known within half a second: it keeps its connections
 * open, and without this every call would wait for its own timeout. On a connection of its own, because the main one may
 * legitimately be silent for a second (WAIT).
 *
 * A silent server may only be short of CPU time: calls wait for it for another half second. Then it is away, and they fail.
 */
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../store-unavailable-error.ts';
import { nameOfServer } from './scripts.ts';

/** The worst case of both together is the 500 ms that the documentation promises. */
const PING_EVERY_MS = 100;
const SILENT_AFTER_MS = 400;
/** With the interval of the check, the 500 ms that calls may take once the silence is known. */
const AWAY_AFTER_MS = SILENT_AFTER_MS + 400;
/** A connection without an answer for this long may be dead while the server is well. */
const RECONNECT_AFTER_MS = 2_000;
const RETRY_MS = 100;

export class ServerPing {
  readonly #connection: Redis;
  readonly #timer: NodeJS.Timeout;
  readonly #name: string;
  /** How to reject the calls under way. */
  readonly #calls = new Set<(error: Error) => void>();
  /** When the ping without an answer was sent; undefined if all are answered. */
  #sentAt: number | undefined;
  /** When the server last answered anything. */
  #answeredAt = 0;
  #closedAt: number | undefined;
  #isSilent = false;
  #isAway = false;

  constructor(server: Redis) {
    this.#name = nameOfServer(server);
    this.#connection = connectForPings(server);
    // From here on the server owes an answer, although it is the client that asks first.
    this.#connection.on('connect', () => {
      this.#sentAt = performance.now();
    });
    this.#connection.on('ready', () => {
      this.#closedAt = undefined;
      this.#sentAt = undefined;
      this.#ping();
    });
    this.#connection.on('close', () => this.#noteClosed());
    this.#timer = setInterval(() => this.#runOnce(), PING_EVERY_MS).unref();
  }

  /** Why the server cannot be used now: it is connected and silent. */
  silence(): string | undefined {
    return this.#isSilent ? `${this.#name} does not answer` : undefined;
  }

  /** As silence, also if the server cannot be reached at all. */
  fault(): string | undefined {
    const isGone = this.#closedAt !== undefined && performance.now() - this.#closedAt >= SILENT_AFTER_MS;
    return isGone ? `${this.#name} cannot be reached` : this.silence();
  }

  /** Runs the command; rejects at once if the server is away, or when it is found to be. */
  run<T>(command: () => Promise<T>): Promise<T> {
    if (this.#isAway) return Promise.reject(this.#toError());
    return new Promise((resolve, reject) => {
      this.#calls.add(reject);
      command()
        .then((result) => {
          // A server that works off a long queue answers, though its pong may be late.
          this.#noteAnswer();
          resolve(result);
        }, reject)
        .finally(() => this.#calls.delete(reject));
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#connection.disconnect();
  }

  #runOnce(): void {
    if (this.#sentAt === undefined) this.#ping();
    else if (this.#silentMs() >= RECONNECT_AFTER_MS) this.#connection.disconnect(true);
    // The answer may be waiting behind the work that delayed this timer: the check comes after it has been read.
    else if (this.#silentMs() >= SILENT_AFTER_MS && !this.#isAway) setImmediate(() => this.#judge());
  }

  #silentMs(): number {
    return this.#sentAt === undefined ? 0 : performance.now() - Math.max(this.#sentAt, this.#answeredAt);
  }

  #judge(): void {
    const silentMs = this.#silentMs();
    this.#isSilent ||= silentMs >= SILENT_AFTER_MS;
    if (silentMs < AWAY_AFTER_MS) return;
    this.#isAway = true;
    const error = this.#toError();
    for (const reject of this.#calls) reject(error);
    this.#calls.clear();
  }

  #toError(): StoreUnavailableError {
    return new StoreUnavailableError(`${this.#name} does not answer`);
  }

  #ping(): void {
    if (this.#connection.status !== 'ready' || this.#sentAt !== undefined) return;
    this.#sentAt = performance.now();
    this.#connection.ping().then(
      () => this.#notePong(),
      // An error reply is an answer; a closed connection is not.
      (error: Error) => error.name === 'ReplyError' && this.#notePong(),
    );
  }

  #notePong(): void {
    this.#sentAt = undefined;
    this.#noteAnswer();
  }

  #noteAnswer(): void {
    this.#answeredAt = performance.now();
    this.#isSilent = false;
    this.#isAway = false;
  }

  /** Silence stays until there is an answer: a server that hangs accepts connections. */
  #noteClosed(): void {
    this.#sentAt = undefined;
    this.#closedAt ??= performance.now();
  }
}

function connectForPings(server: Redis): Redis {
  const connection = server.duplicate({
    lazyConnect: false,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RETRY_MS,
  });
  // The main connection reports the same errors.
  connection.on('error', () => {});
  // A process must be able to end although it pings.
  connection.on('connect', () => (connection.stream as { unref?: () => void }).unref?.());
  return connection;
}

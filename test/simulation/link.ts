/**
 * The connection of a process to the store, as ioredis keeps it: commands and replies in order, each with a delay. When it
 * breaks, unanswered commands are sent once more on the next connection; while it is down, commands fail at once; a
 * command that is not answered in time fails, and may be done all the same. In a cluster a server that is no longer the
 * master sends the client on.
 */
import { StoreUnavailableError } from '../../src/platform/store-unavailable-error.ts';
import type { Random } from '../../src/simulate/random.ts';
import type { Command, LineServer, Reply } from './line-server.ts';
import type { Scheduler } from './scheduler.ts';

export interface LinkOptions {
  scheduler: Scheduler;
  random: Random;
  /** The server that a client finds now: the master that the cluster knows. */
  findMaster: () => LineServer;
  /** How long a command or a reply travels. */
  travelMs: () => number;
  commandTimeoutMs: number;
  /** Runs work of the process, later if the process is stopped. */
  run: (work: () => void) => void;
  onDone: (server: LineServer, command: Command, reply: Reply) => void;
}

interface Connection {
  isOpen: boolean;
  /** Whether commands under way got lost when it broke; else only their replies are. */
  losesCommands: boolean;
}

interface Pending {
  command: Command;
  sends: number;
  isSettled: boolean;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A reply, and which server gave it. */
export interface Answer {
  reply: Reply;
  server: LineServer;
}

/** Sent once more after the connection broke, then given up. */
const MOST_SENDS = 2;
const RETRY_MS = 50;

export class Link {
  readonly #options: LinkOptions;
  #server: LineServer;
  #pending: Pending[] = [];
  #connection: Connection = { isOpen: true, losesCommands: false };
  #isReady = true;
  #hasFailed = false;
  #isCut = false;
  #isClosed = false;
  #arrivesAt = 0;
  #returnsAt = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#server = options.findMaster();
    this.#isReady = !this.#server.isDown;
    if (!this.#isReady) this.#reconnect(1);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether the process cannot reach the store, as far as it knows: not connected, or the last call failed. */
  get isAway(): boolean {
    return !this.#isReady || this.#hasFailed;
  }

  call(command: Command): Promise<Answer> {
    if (!this.#isReady) return Promise.reject(new StoreUnavailableError('not connected'));
    return new Promise((resolve, reject) => {
      const pending: Pending = { command, sends: 0, isSettled: false, resolve, reject };
      this.#pending.push(pending);
      this.#send(pending);
      const { scheduler, commandTimeoutMs, run } = this.#options;
      scheduler.after(commandTimeoutMs, () => run(() => this.#fail(pending, 'command timed out')));
    });
  }

  /** Breaks the connection. Commands under way may still arrive; their replies are lost. */
  break(): void {
    if (this.#isClosed || !this.#isReady) return;
    this.#isReady = false;
    this.#connection.isOpen = false;
    this.#connection.losesCommands = this.#isCut || this.#options.random() < 0.3;
    this.#reconnect(1);
  }

  /** Nothing gets through until it is healed, neither a command nor a connection. */
  cut(): void {
    this.#isCut = true;
    this.break();
  }

  heal(): void {
    this.#isCut = false;
  }

  /** The process is gone; nothing is answered any more. */
  close(): void {
    this.#isClosed = true;
    this.#isReady = false;
    this.#connection.isOpen = false;
    this.#pending = [];
  }

  #send(pending: Pending): void {
    pending.sends += 1;
    const { scheduler, travelMs } = this.#options;
    const connection = this.#connection;
    const server = this.#server;
    this.#arrivesAt = Math.max(this.#arrivesAt, scheduler.now + travelMs());
    scheduler.after(this.#arrivesAt - scheduler.now, () => this.#arrive(pending, server, connection));
  }

  /** A command reaches the server; a stopped one takes it when it resumes. */
  #arrive(pending: Pending, server: LineServer, connection: Connection): void {
    const { scheduler, travelMs, onDone } = this.#options;
    if (connection.losesCommands || server.isDown) return;
    if (server.isStopped) {
      server.whenResumed(() => this.#arrive(pending, server, connection));
      return;
    }
    if (server.isDemoted) {
      scheduler.after(travelMs(), () => this.#redirect(pending, connection));
      return;
    }
    const reply = server.execute(pending.command);
    onDone(server, pending.command, reply);
    this.#returnsAt = Math.max(this.#returnsAt, scheduler.now + travelMs());
    scheduler.after(this.#returnsAt - scheduler.now, () =>
      this.#options.run(() => this.#return(pending, { reply, server }, connection)),
    );
  }

  #return(pending: Pending, answer: Answer, connection: Connection): void {
    if (!connection.isOpen) return;
    this.#forget(pending);
    this.#hasFailed = false;
    if (!pending.isSettled) pending.resolve(answer);
    pending.isSettled = true;
  }

  #redirect(pending: Pending, connection: Connection): void {
    if (!connection.isOpen || pending.isSettled) return;
    this.#server = this.#options.findMaster();
    this.#send(pending);
  }

  /** Tries until the server is there; then sends again what is unanswered. */
  #reconnect(attempt: number): void {
    const { scheduler, findMaster } = this.#options;
    scheduler.after(Math.min(attempt * RETRY_MS, 1_000), () => {
      if (this.#isClosed || this.#isReady) return;
      const server = findMaster();
      if (this.#isCut || server.isDown) {
        if (attempt % MOST_SENDS === 0) this.#failAll();
        this.#reconnect(attempt + 1);
        return;
      }
      this.#server = server;
      this.#isReady = true;
      this.#arrivesAt = scheduler.now;
      this.#returnsAt = scheduler.now;
      this.#connection = { isOpen: true, losesCommands: false };
      for (const pending of [...this.#pending]) {
        if (pending.sends < MOST_SENDS) this.#send(pending);
        else this.#fail(pending, 'the connection broke again');
      }
    });
  }

  /** The client asks the cluster for its masters. */
  refreshSlots(): void {
    this.#server = this.#options.findMaster();
  }

  #failAll(): void {
    for (const pending of [...this.#pending]) this.#fail(pending, 'the connection is down');
    this.#pending = [];
  }

  #fail(pending: Pending, reason: string): void {
    if (pending.isSettled || this.#isClosed) return;
    pending.isSettled = true;
    this.#hasFailed = true;
    if (reason !== 'command timed out') this.#forget(pending);
    pending.reject(new StoreUnavailableError(reason));
  }

  #forget(pending: Pending): void {
    const index = this.#pending.indexOf(pending);
    if (index >= 0) this.#pending.splice(index, 1);
  }
}

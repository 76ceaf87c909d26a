/**
 * What a process must do before it can use a store: check the store when it comes, then whatever needs it. Each step is
 * repeated with growing pauses until it succeeds, so that a process starts before its stores do. A step that is not done
 * is a reason not to be ready.
 */
import type { Logger } from 'pino';
import { redactText } from '../redact.ts';
import { createDeferred } from './deferred.ts';

export interface Step {
  /** As operators know it: `Redis`, `the access list`. */
  name: string;
  /** Groups steps: a store is usable once all of its steps are done. */
  store: string;
  /** Stores whose earlier steps must be done before this one is tried. */
  after?: readonly string[];
  run: () => Promise<unknown>;
  /** Whether an operator must act: waiting does not help against this error. */
  isHopeless?: (error: unknown) => boolean;
}

export interface BeginningOptions {
  log: Logger;
  /** The pause after the first failure; doubled after each further one. */
  firstPauseMs?: number;
  longestPauseMs?: number;
}

const FIRST_PAUSE_MS = 100;
/** Bounds how long a store that is back is not noticed. */
const LONGEST_PAUSE_MS = 1_000;
const LONGEST_STOP_MS = 3_000;

export class Beginning {
  readonly #options: BeginningOptions;
  readonly #steps = new Map<string, RunningStep>();

  constructor(options: BeginningOptions) {
    this.#options = options;
  }

  /** Begins at once, unless other steps come first. */
  add(step: Step): void {
    const before = this.#of(step.after ?? []);
    this.#steps.set(step.name, new RunningStep(step, before, this.#options));
  }

  /** Repeats a step now: its store has come back. */
  again(name: string): void {
    this.#steps.get(name)?.again();
  }

  /** Resolves once each step of these stores has succeeded. Never rejects; stays pending after `stop`. */
  async whenDone(stores: readonly string[]): Promise<void> {
    await Promise.all(this.#of(stores).map(({ done }) => done));
  }

  /** Why this store cannot be used yet; undefined if its steps are done. */
  faultOf(store: string): string | undefined {
    return this.#of([store]).find(({ fault }) => fault !== undefined)?.fault;
  }

  /**
   * Waits for the first try of every step of these stores, at most `longestMs`. Rejects if one failed hopelessly: at the
   * start an operator is looking, so an error that only they can fix is better reported than retried.
   */
  async firstTries(stores: readonly string[], longestMs: number): Promise<void> {
    const tries = this.#of(stores).map(async ({ first }) => {
      const failure = await first;
      if (failure?.isHopeless) throw failure.error;
    });
    await withTimeLimit(longestMs, Promise.all(tries));
  }

  /** Waits for tries under way, but not long: the process must end also if a store never answers. */
  async stop(): Promise<void> {
    const stopped = Promise.all([...this.#steps.values()].map((step) => step.stop()));
    await withTimeLimit(LONGEST_STOP_MS, stopped);
  }

  #of(stores: readonly string[]): RunningStep[] {
    return [...this.#steps.values()].filter(({ store }) => stores.includes(store));
  }
}

interface Failure {
  error: unknown;
  isHopeless: boolean;
}

class RunningStep {
  readonly store: string;
  /** The first success. */
  readonly done: Promise<void>;
  /** The outcome of the first try; undefined: it succeeded, or was not made because an earlier step failed. */
  readonly first: Promise<Failure | undefined>;
  fault: string | undefined;
  readonly #step: Step;
  readonly #options: BeginningOptions;
  readonly #firstTry = createDeferred<Failure | undefined>();
  readonly #success = createDeferred<void>();
  readonly #finished: Promise<void>;
  #isDone = false;
  #hasFailed = false;
  #isTrying = false;
  #isStopped = false;
  #isDue = false;
  #wake: (() => void) | undefined;

  constructor(step: Step, before: readonly RunningStep[], options: BeginningOptions) {
    this.#step = step;
    this.#options = options;
    this.store = step.store;
    this.done = this.#success.promise;
    this.fault = `${step.name}: not ready yet`;
    this.first = this.#firstAfter(before);
    this.#finished = this.#repeat(before);
  }

  again(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    if (this.#isTrying) await this.#finished;
  }

  async #firstAfter(before: readonly RunningStep[]): Promise<Failure | undefined> {
    const failures = await Promise.all(before.map(({ first }) => first));
    return failures.some((failure) => failure !== undefined) ? undefined : this.#firstTry.promise;
  }

  async #repeat(before: readonly RunningStep[]): Promise<void> {
    await Promise.all(before.map(({ done }) => done));
    const { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = this.#options;
    let pauseMs = firstPauseMs;
    while (!this.#isStopped) {
      this.#isDue = false;
      const failure = await this.#try();
      this.#firstTry.resolve(failure);
      if (failure === undefined) pauseMs = firstPauseMs;
      await this.#rest(failure === undefined ? undefined : pauseMs);
      if (failure !== undefined) pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  async #try(): Promise<Failure | undefined> {
    this.#isTrying = true;
    try {
      await this.#step.run();
      this.#noteSuccess();
      return undefined;
    } catch (error) {
      const failure = { error, isHopeless: this.#step.isHopeless?.(error) ?? false };
      this.#noteFailure(failure);
      return failure;
    } finally {
      this.#isTrying = false;
    }
  }

  #noteSuccess(): void {
    if (this.#isStopped) return;
    const { name } = this.#step;
    if (this.#isDone ? this.fault !== undefined : this.#hasFailed) this.#options.log.info(`${name}: ready`);
    this.fault = undefined;
    this.#isDone = true;
    this.#success.resolve();
  }

  /** Once done, only a hopeless error counts: whether the store answers is for the store itself to say. */
  #noteFailure({ error, isHopeless }: Failure): void {
    if (this.#isStopped || (this.#isDone && !isHopeless)) return;
    const fault = redactText((error as Error).message);
    const isAtStart = !this.#hasFailed && isHopeless && !this.#isDone;
    // One that fails the start is reported by the start.
    if (fault !== this.fault && !isAtStart) this.#options.log.warn(`waiting for ${this.#step.name}: ${fault}`);
    this.fault = fault;
    this.#hasFailed = true;
  }

  /** Until `again` is called or, after a failure, until the pause is over. */
  #rest(ms: number | undefined): Promise<void> {
    if (this.#isDue || this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Resolves when the work is done or the time is over, whichever is first. */
async function withTimeLimit(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

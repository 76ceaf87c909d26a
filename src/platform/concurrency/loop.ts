/**
 * The loop of every background role: one pass, a pause, the next pass. A pass that fails is logged and does not end the
 * loop. Stopping waits for the pass under way.
 */
import type { Logger } from 'pino';
import type { Wake } from './wake.ts';

/**
 * What a pass says: there may be work at any time, there is more at once, or there is none and none becomes due by itself.
 */
export type PassOutcome = 'done' | 'again' | 'idle';

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** One pass. `again` requests the next pass soon, because there is work left. */
  runOnce: () => Promise<PassOutcome>;
  /** The pause after a pass that returned `again`. Default: none. */
  againMs?: number;
  /** After `idle` the loop rests until this is called. undefined: it goes on as after `done`. */
  wake?: Wake | undefined;
  /** The longest rest: bounds the delay of work that nobody has announced. */
  longestRestMs?: number;
  log: Logger;
}

export interface Loop {
  stop(): Promise<void>;
}

const LONGEST_REST_MS = 10_000;

export function startLoop(options: LoopOptions): Loop {
  const { name, intervalMs, runOnce, againMs = 0, wake, longestRestMs = LONGEST_REST_MS, log } = options;
  const stopping = new AbortController();
  let lastFault: string | undefined;
  const finished = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      // Before the pass: work that arrives while it looks must not be missed.
      const calls = wake?.calls;
      const outcome = await pass();
      // What one loop has done may be work for another.
      if (outcome === 'again') wake?.call();
      const pauseMs = outcome === 'again' ? againMs : intervalMs - (performance.now() - startedAt);
      await pause(pauseMs, stopping.signal);
      if (outcome === 'idle' && calls !== undefined) await wake?.rest(calls, longestRestMs, stopping.signal);
    }
  }

  async function pass(): Promise<PassOutcome> {
    try {
      const outcome = await runOnce();
      if (lastFault !== undefined) log.info({ role: name }, `${name}: recovered`);
      lastFault = undefined;
      return outcome;
    } catch (error) {
      note(error as Error);
      return 'done';
    }
  }

  /** A fault that lasts is logged once as an error, not with every pass. */
  function note(error: Error): void {
    const level = error.message === lastFault ? 'debug' : 'error';
    lastFault = error.message;
    log[level]({ err: error, role: name }, `${name}: pass failed, retrying in ${intervalMs} ms`);
  }

  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

/** Resolves after `ms`, or as soon as `signal` aborts. Even a pause of 0 ms lets other work run. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, ms));
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * The loop of every background role: one pass, a pause, the next pass. A pass that fails is logged and does not end the
 * loop. Stopping waits for the pass under way.
 */
import type { Logger } from 'pino';

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** One pass. `again` requests the next pass soon, because there is work left. */
  runOnce: () => Promise<'done' | 'again'>;
  /** The pause after a pass that returned `again`. Default: none. */
  againMs?: number;
  log: Logger;
}

export interface Loop {
  stop(): Promise<void>;
}

export function startLoop({ name, intervalMs, runOnce, againMs = 0, log }: LoopOptions): Loop {
  const stopping = new AbortController();
  let lastFault: string | undefined;
  const finished = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const outcome = await pass();
      const restMs = outcome === 'again' ? againMs : intervalMs - (performance.now() - startedAt);
      await pause(restMs, stopping.signal);
    }
  }

  async function pass(): Promise<'done' | 'again'> {
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

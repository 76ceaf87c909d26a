/**
 * The shape that every background role shares: one pass, a pause, the next pass. A pass that fails is logged and does
 * not end the loop; stopping waits for the pass under way.
 */
import type { Logger } from 'pino';

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** One pass. `again` asks for the next pass soon, because there is work left. */
  runOnce: () => Promise<'done' | 'again'>;
  /** The pause before the next pass where there is work left; none if absent. */
  againMs?: number;
  log: Logger;
}

export interface Loop {
  stop(): Promise<void>;
}

export function startLoop({ name, intervalMs, runOnce, againMs = 0, log }: LoopOptions): Loop {
  const stopping = new AbortController();
  let trouble: string | undefined;
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
      if (trouble !== undefined) log.info({ role: name }, `${name}: goes on`);
      trouble = undefined;
      return outcome;
    } catch (error) {
      note(error as Error);
      return 'done';
    }
  }

  /** Trouble that lasts is told once, not with every pass. */
  function note(error: Error): void {
    const level = error.message === trouble ? 'debug' : 'error';
    trouble = error.message;
    log[level]({ err: error, role: name }, `${name}: this pass failed, the next one follows in ${intervalMs} ms`);
  }

  return {
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

/** Resolves after `ms`, or as soon as `signal` aborts. Even a pause of nothing lets other work run in between. */
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

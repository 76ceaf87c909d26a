/**
 * The shape that every background role shares: one pass, a pause, the next pass. A pass that fails is logged and does
 * not end the loop; stopping waits for the pass under way.
 */
import type { Logger } from 'pino';

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** One pass. `again` asks for the next pass at once, because there is work left. */
  runOnce: () => Promise<'done' | 'again'>;
  log: Logger;
}

export interface Loop {
  stop(): Promise<void>;
}

export function startLoop({ name, intervalMs, runOnce, log }: LoopOptions): Loop {
  const stopping = new AbortController();
  const finished = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const outcome = await pass();
      const restMs = outcome === 'again' ? 0 : intervalMs - (performance.now() - startedAt);
      await pause(restMs, stopping.signal);
    }
  }

  async function pass(): Promise<'done' | 'again'> {
    try {
      return await runOnce();
    } catch (error) {
      log.error({ err: error, role: name }, `${name}: this pass failed, the next one follows in ${intervalMs} ms`);
      return 'done';
    }
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

/** What runs in the background, and in which order it starts and stops. */
import type { Context } from './context.ts';
import { runAdmitterOnce } from './line/admitter.ts';
import { runSweeperOnce } from './line/sweeper.ts';
import { type Loop, startLoop } from './platform/loop.ts';

/** Starts the background roles of this process; returns how to stop them. */
export function startRoles({ config, store, lineMetrics, log }: Context): () => Promise<void> {
  const loops: Loop[] = [];
  if (config.roles.includes('admitter')) {
    const runOnce = () => runAdmitterOnce({ store, metrics: lineMetrics });
    loops.push(startLoop({ name: 'admitter', intervalMs: config.line.admissionIntervalMs, runOnce, log }));
  }
  if (config.roles.includes('sweeper')) {
    const runOnce = () => runSweeperOnce(store);
    loops.push(startLoop({ name: 'sweeper', intervalMs: config.line.sweepIntervalMs, runOnce, log }));
  }
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}

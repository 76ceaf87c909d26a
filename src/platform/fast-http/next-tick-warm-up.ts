/**
 * Keeps `process.nextTick` fast. V8 learns the shape of the object that Node allocates for each tick, and discards it
 * in a garbage collection at a moment when no tick is queued. From then on each tick takes 500 ns instead of 65 ns for
 * the rest of the process, and an HTTP request takes seven ticks. Holding on to one such object keeps the shape alive.
 */
import { createHook } from 'node:async_hooks';

let kept: object | undefined;

export function warmUpNextTick(): void {
  if (kept !== undefined) return;
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  hook.disable();
}

import type { Clock } from '../../src/platform/clock.ts';

/** A clock and its timers. Time passes only in `pass`, timer by timer, and everything that a timer starts is finished first. */
export interface VirtualTime extends Clock {
  delay(ms: number): Promise<void>;
  /** As `pass`, without running timers: they are late then. */
  advance(ms: number): void;
  pass(ms: number): Promise<void>;
}

interface Timer {
  at: number;
  ring(): void;
}

export function createVirtualTime(startsAt = Date.UTC(2026, 0, 1)): VirtualTime {
  let now = startsAt;
  const timers: Timer[] = [];
  const takeNext = (until: number): Timer | undefined => {
    let next = -1;
    for (const [i, { at }] of timers.entries()) if (at <= until && (next < 0 || at < timers[next]!.at)) next = i;
    return next < 0 ? undefined : timers.splice(next, 1)[0];
  };
  return {
    now: () => now,
    delay: (ms) => new Promise((ring) => timers.push({ at: now + ms, ring })),
    advance(ms) {
      now += ms;
    },
    async pass(ms) {
      const until = now + ms;
      for (let timer = takeNext(until); timer !== undefined; timer = takeNext(until)) {
        now = Math.max(now, timer.at);
        timer.ring();
        await settle();
      }
      now = until;
    },
  };
}

/** Lets all promises go on that wait for nothing but each other. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How far another machine's clock is from ours. */
import { type Check, ok, problem, warning } from './check.ts';

/** Tokens are good for so long after their end, and before their beginning. */
const TOLERATED_MS = 5_000;
const NOTABLE_MS = 500;

/** `ask` resolves to the other's time in ms. What the question took is taken off by half. */
export async function checkClock(what: string, ask: () => Promise<number>, now: () => number): Promise<Check> {
  const sentAt = now();
  const theirs = await ask();
  const difference = Math.round(theirs - (sentAt + now()) / 2);
  const found = `${Math.abs(difference)} ms ${difference < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'keep both clocks in step (chrony, systemd-timesyncd)';
  if (Math.abs(difference) >= TOLERATED_MS) return problem(what, found, advice);
  return Math.abs(difference) >= NOTABLE_MS ? warning(what, found, advice) : ok(what, found);
}

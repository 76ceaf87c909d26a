/** Compares the clock of another server with ours. */
import { type Check, ok, problem, warning } from './check.ts';

/** The clock skew that token verification tolerates. */
const TOLERATED_MS = 5_000;
const NOTABLE_MS = 500;

/** `readTime` resolves to the other server's time in ms. Half of the round trip is subtracted. */
export async function checkClock(what: string, readTime: () => Promise<number>, now: () => number): Promise<Check> {
  const sentAt = now();
  const theirs = await readTime();
  const difference = Math.round(theirs - (sentAt + now()) / 2);
  const found = `${Math.abs(difference)} ms ${difference < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'synchronise both clocks with NTP (chrony, systemd-timesyncd)';
  if (Math.abs(difference) >= TOLERATED_MS) return problem(what, found, advice);
  return Math.abs(difference) >= NOTABLE_MS ? warning(what, found, advice) : ok(what, found);
}

/**
 * The tier 1 advancer as an AWS Lambda function, scheduled every minute (EventBridge). Runs one pass per second until the
 * next invocation is due or its time limit is near. Overlapping invocations do not advance faster.
 */
import { runAdvancerOnce } from '../src/tier1/roles/advancer.ts';
import { log, openStore, readConfig } from './tier1-only.ts';

const RUN_FOR_MS = 59_000;
const PAUSE_MS = 1_000;
/** Reserved for the last pass. */
const SPARE_MS = 3_000;

const { pace } = readConfig().tier1;
const store = openStore(readConfig());

export interface Invocation {
  getRemainingTimeInMillis(): number;
}

export async function handler(_event: unknown, invocation: Invocation): Promise<{ passes: number; failed: number }> {
  const endsAt = performance.now() + RUN_FOR_MS;
  let passes = 0;
  let failed = 0;
  do {
    if (passes > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    passes += 1;
    await runAdvancerOnce({ store, pace }).catch((error) => {
      failed += 1;
      log.error({ err: error }, 'advancer pass failed, will retry');
    });
  } while (performance.now() + PAUSE_MS < endsAt && invocation.getRemainingTimeInMillis() > PAUSE_MS + SPARE_MS);
  return { passes, failed };
}

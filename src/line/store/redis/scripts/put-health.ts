/** Typed twin of put-health.lua. */
import { loadScript } from '../../../../platform/redis/scripts.ts';
import { type HealthReport, LATENCY_BUCKETS } from '../../../model/site-health.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('put-health.lua', import.meta.url));

export async function putHealth(caller: ScriptCaller, eventId: string, report: HealthReport): Promise<void> {
  const { responses, errors, latencies } = report;
  const counts = Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => latencies[bucket] ?? 0);
  await caller.call({ script, eventId, args: [responses, errors, counts.join()] });
}

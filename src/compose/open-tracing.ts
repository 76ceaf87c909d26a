/** Starts tracing. OpenTelemetry is loaded only when a collector is configured. */
import type { TracingConfig } from '../config/tracing-settings.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';

/** undefined: no collector is configured. */
export async function openTracing(config: TracingConfig | undefined, version: string): Promise<Tracing | undefined> {
  if (config === undefined) return undefined;
  const { startOpenTelemetry } = await import('../platform/tracing/open-telemetry.ts');
  return startOpenTelemetry({ ...config, version });
}

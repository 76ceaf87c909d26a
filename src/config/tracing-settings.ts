/** Settings of traces, by their names in OpenTelemetry. */
import { text, type Values } from '../platform/settings/settings.ts';

export interface TracingConfig {
  endpoint: string;
  serviceName: string;
  sampledShare: number;
}

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text({
    default: undefined,
    pattern: /^https?:\/\/.+$/,
    allowed: 'an http or https address',
    about:
      'Where traces are sent: an OpenTelemetry collector (OTLP over HTTP), as `http://127.0.0.1:4318`. Without it none ' +
      'are made (docs/guides/tracing.md).',
  }),
  OTEL_SERVICE_NAME: text({
    default: 'fairline',
    pattern: /^[A-Za-z0-9_.-]{1,64}$/,
    allowed: 'letters, digits, _, . and -, 64 at most',
    about: 'As what this process appears in traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: text({
    default: '1',
    pattern: /^(0|1|0?\.\d{1,9}|1\.0+)$/,
    allowed: 'a share from 0 to 1',
    about: 'The share of traces that is kept, of those that begin here.',
  }),
};

/** undefined: no traces are made. */
export function toTracingConfig(values: Values<typeof tracingSettings>): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = values;
  if (endpoint === undefined) return undefined;
  return { endpoint, serviceName: serviceName!, sampledShare: Number(values.OTEL_TRACES_SAMPLER_ARG) };
}

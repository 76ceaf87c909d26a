/** Settings of tracing, under their standard OpenTelemetry names. */
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
    allowed: 'an http or https URL',
    about:
      'OpenTelemetry collector that receives traces (OTLP over HTTP), such as `http://127.0.0.1:4318`. Without it, ' +
      'tracing is off (docs/guides/tracing.md).',
  }),
  OTEL_SERVICE_NAME: text({
    default: 'fairline',
    pattern: /^[A-Za-z0-9_.-]{1,64}$/,
    allowed: '1 to 64 letters, digits, _, . or -',
    about: 'Service name of this process in traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: text({
    default: '1',
    pattern: /^(0|1|0?\.\d{1,9}|1\.0+)$/,
    allowed: 'a number from 0 to 1',
    about: 'Share of traces that start here to sample.',
  }),
};

/** undefined: tracing is off. */
export function toTracingConfig(values: Values<typeof tracingSettings>): TracingConfig | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = values;
  if (endpoint === undefined) return undefined;
  return { endpoint, serviceName: serviceName!, sampledShare: Number(values.OTEL_TRACES_SAMPLER_ARG) };
}

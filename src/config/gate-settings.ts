/** Settings of the gate: of `fairline gate`, and of the gate inside an instance. */
import { integer, list, SECRET_MIN_LENGTH, secret, text, type Values } from '../platform/settings/settings.ts';

const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/;

export const gateSettings = {
  GATE_RULES_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: 'the built-in rules (docs/reference/gate.md)',
    about: 'JSON file with the rules of the gate. Read once, at startup.',
  }),
  GATE_UPSTREAM: text({
    default: undefined,
    pattern: ORIGIN,
    allowed: 'an http or https origin without a path, such as http://host:8080',
    about: 'Site behind `fairline gate`.',
  }),
  GATE_SITES_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    about:
      'JSON file with the sites behind `fairline gate`, by host name, instead of GATE_UPSTREAM ' +
      '(docs/reference/gate.md#several-sites). Read once, at startup.',
  }),
  GATE_WORKERS: integer({
    default: 1,
    min: 0,
    max: 128,
    about:
      'Processes of `fairline gate` that share its port; 0: one per core. Limits and capacity apply to each of them.',
  }),
  GATE_LINE_URL: text({
    default: undefined,
    pattern: ORIGIN,
    allowed: 'an http or https origin without a path, such as http://host:8080',
    about:
      'Instance with the role line. `fairline gate` forwards requests about waiting to it, and queries it for the events ' +
      'that use tier 1 and, for strict rules, whether an admission is still valid.',
  }),
  GATE_VWR_EVENTS: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^(all|[A-Za-z0-9_-]{1,64})$/,
    allowed: 'all, or event ids separated by commas',
    about: 'Events for which `fairline gate` requires vwr tokens, if GATE_LINE_URL is not set.',
  }),
  GATE_CDN_SECRET: secret({
    minLength: SECRET_MIN_LENGTH,
    about:
      'Value of X-CloudFront-Verified that your CDN sends after verifying tokens. Without it the header is ignored.',
  }),
  GATE_IDENTITY_HEADER: text({
    default: undefined,
    pattern: /^x-[a-z0-9-]{1,60}$/,
    allowed: 'a header name in lower case that starts with x-, such as x-user-id',
    about: 'Header in which `fairline gate` sends the visitor’s id to the site.',
  }),
  GATE_STATUS_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    about: 'Port on which `fairline gate` serves `/health` and `/metrics`, separate from visitors; 0: off.',
  }),
  GATE_UPSTREAM_TIMEOUT_MS: integer({
    default: 30_000,
    min: 100,
    max: 3_600_000,
    about: 'How long `fairline gate` waits for the response headers of the site.',
  }),
  GATE_UPLOAD_TIMEOUT_MS: integer({
    default: 20_000,
    min: 100,
    max: 3_600_000,
    about:
      'How long a request body may take to reach `fairline gate`. A longer upload may continue while at least 500 bytes ' +
      'per second arrive in each such period.',
  }),
  GATE_STREAMS: integer({
    default: 20_000,
    min: 1,
    max: 1_000_000,
    about:
      'Streams of waiting pages, WebSockets and other lasting responses that `fairline gate` keeps open for the line, and ' +
      'as many for the site. Each takes two file descriptors. Further ones get 503; waiting pages then poll.',
  }),
  LIMIT_GATE_REQUESTS_PER_IP: integer({
    default: 256,
    min: 0,
    max: 1_000_000,
    about: 'Requests and streams in progress in `fairline gate` per IP address (/64 for IPv6); 0: no limit.',
  }),
  LIMIT_GATE_CONNECTIONS_PER_IP: integer({
    default: 1_024,
    min: 0,
    max: 1_000_000,
    about:
      'Open connections to `fairline gate` per IP address (/64 for IPv6), except of proxies in TRUST_PROXY; 0: no limit.',
  }),
};

export interface GateConfig {
  rulesFile: string | undefined;
  upstream: string | undefined;
  sitesFile: string | undefined;
  workers: number;
  lineUrl: string | undefined;
  vwrEvents: readonly string[] | 'all';
  cdnSecret: string | undefined;
  identityHeader: string | undefined;
  upstreamTimeoutMs: number;
  uploadTimeoutMs: number;
  streams: number;
  requestsPerIp: number;
  connectionsPerIp: number;
  statusPort: number;
}

export function toGateConfig(values: Values<typeof gateSettings>): GateConfig {
  return {
    rulesFile: values.GATE_RULES_FILE,
    upstream: values.GATE_UPSTREAM,
    sitesFile: values.GATE_SITES_FILE,
    workers: values.GATE_WORKERS,
    lineUrl: values.GATE_LINE_URL,
    vwrEvents: values.GATE_VWR_EVENTS.includes('all') ? 'all' : values.GATE_VWR_EVENTS,
    cdnSecret: values.GATE_CDN_SECRET,
    identityHeader: values.GATE_IDENTITY_HEADER,
    upstreamTimeoutMs: values.GATE_UPSTREAM_TIMEOUT_MS,
    uploadTimeoutMs: values.GATE_UPLOAD_TIMEOUT_MS,
    streams: values.GATE_STREAMS,
    requestsPerIp: values.LIMIT_GATE_REQUESTS_PER_IP,
    connectionsPerIp: values.LIMIT_GATE_CONNECTIONS_PER_IP,
    statusPort: values.GATE_STATUS_PORT,
  };
}

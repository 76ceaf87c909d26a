/** The gate's part of the table of settings. */
import { integer, list, secret, text, type Values } from '../platform/settings/settings.ts';

const SECRET_MIN = 32;
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/;

export const gateSettings = {
  GATE_RULES_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: 'the rules of docs/reference/gate.md',
    about: 'Rules of the gate, in JSON. Read at the start.',
  }),
  GATE_UPSTREAM: text({
    default: undefined,
    pattern: ORIGIN,
    allowed: 'http://host:port or https://host, without a path',
    about: 'The site that `fairline gate` stands before.',
  }),
  GATE_LINE_URL: text({
    default: undefined,
    pattern: ORIGIN,
    allowed: 'http://host:port or https://host, without a path',
    about:
      'An instance with the role line: `fairline gate` sends it what is about waiting, and asks it which events have ' +
      'tier 1 switched on and, for strict rules, whether an admission still stands.',
  }),
  GATE_VWR_EVENTS: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^(all|[A-Za-z0-9_-]{1,64})$/,
    allowed: 'all, or event ids separated by commas',
    about: 'Events for which `fairline gate` demands vwr tokens, where it has no GATE_LINE_URL to ask.',
  }),
  GATE_CDN_SECRET: secret({
    minLength: SECRET_MIN,
    about: 'What your CDN sends as X-CloudFront-Verified once it has checked the tokens; without it none is believed.',
  }),
  GATE_IDENTITY_HEADER: text({
    default: undefined,
    pattern: /^x-[a-z0-9-]{1,60}$/,
    allowed: 'a header such as x-user-id, in small letters',
    about: 'Header in which `fairline gate` tells the site who is asking.',
  }),
  GATE_STATUS_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    about: 'Port on which `fairline gate` answers `/health` and `/metrics`, apart from visitors; 0: nowhere.',
  }),
  GATE_UPSTREAM_TIMEOUT_MS: integer({
    default: 30_000,
    min: 100,
    max: 3_600_000,
    about: 'How long the site behind `fairline gate` may take to begin its answer.',
  }),
};

export interface GateConfig {
  rulesFile: string | undefined;
  upstream: string | undefined;
  lineUrl: string | undefined;
  vwrEvents: readonly string[] | 'all';
  cdnSecret: string | undefined;
  identityHeader: string | undefined;
  upstreamTimeoutMs: number;
  statusPort: number;
}

export function toGateConfig(values: Values<typeof gateSettings>): GateConfig {
  return {
    rulesFile: values.GATE_RULES_FILE,
    upstream: values.GATE_UPSTREAM,
    lineUrl: values.GATE_LINE_URL,
    vwrEvents: values.GATE_VWR_EVENTS.includes('all') ? 'all' : values.GATE_VWR_EVENTS,
    cdnSecret: values.GATE_CDN_SECRET,
    identityHeader: values.GATE_IDENTITY_HEADER,
    upstreamTimeoutMs: values.GATE_UPSTREAM_TIMEOUT_MS,
    statusPort: values.GATE_STATUS_PORT,
  };
}

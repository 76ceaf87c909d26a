/** Settings of the process: where it listens, what it runs, what it logs. */
import {
  integer,
  list,
  oneOf,
  onOff,
  SECRET_MIN_LENGTH,
  secret,
  text,
  type Values,
} from '../platform/settings/settings.ts';
import { type RoleName, roleNames } from './role-names.ts';

export const serverSettings = {
  HOST: text({
    default: '127.0.0.1',
    pattern: /^[A-Za-z0-9.:_-]{1,255}$/,
    allowed: 'an IP address or host name of this machine',
    about: 'Address to listen on. Use 0.0.0.0 in a container.',
  }),
  PORT: integer({ default: 3000, min: 0, max: 65_535, about: 'Port to listen on; 0 picks a free port.' }),
  DATA_DIR: text({
    default: 'data',
    pattern: /^.+$/,
    allowed: 'a writable directory',
    about:
      'Directory of the embedded stores and generated secrets; one process at a time. With Redis, only the audit ' +
      'trail is written there, if there is no database or while it is unavailable. Without MAIL_URL, mails are written ' +
      'there.',
  }),
  FAIRLINE_ROLES: list<RoleName | 'all'>({
    default: ['all'],
    pattern: new RegExp(`^(all|${roleNames.join('|')})$`),
    allowed: `all, or some of ${roleNames.join(', ')}, separated by commas`,
    about: 'Roles to run in this process. Without Redis it must be all.',
  }),
  LOG_LEVEL: oneOf({
    default: 'info',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    about: 'Minimum level of log lines.',
  }),
  TRUST_PROXY: list({
    default: [],
    defaultText: 'none',
    pattern: /^[0-9a-fA-F.:]+(\/\d{1,3})?$/,
    allowed: 'IP addresses or CIDR ranges, separated by commas',
    about: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. Ignored from other clients.',
  }),
  TRUSTED_ORIGINS: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/,
    allowed: 'origins without a path, such as https://shop.example.com, separated by commas',
    about:
      'Origins besides that of this server whose pages may join, sign in or change anything. Needed if your front end is ' +
      'on another host, or if a proxy changes the Host header. Requests of all other origins change nothing.',
  }),
  CORS_ORIGINS: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/,
    allowed: 'origins without a path, such as https://www.shop.example, separated by commas',
    about:
      'Origins whose pages may use the doors, tier 1, the shop and accounts from a script (CORS), with credentials; ' +
      'nothing that operators use (docs/reference/endpoints.md#pages-on-another-origin). The cookies are ' +
      'SameSite=Lax: they work for other subdomains of the same site; pages of another site send a bearer token.',
  }),
  COMPAT: list<string>({
    default: [],
    defaultText: 'none',
    pattern: /^[a-z]{1,32}$/,
    allowed: 'some of urr, tacos, codenbug, separated by commas',
    about:
      'Systems whose clients this instance also serves unchanged: requests and responses that only they use are ' +
      'translated. See the migration guides.',
  }),
  HSTS: oneOf({
    default: 'host',
    values: ['off', 'host', 'subdomains'],
    about:
      'Strict-Transport-Security in responses over TLS, for one year: for this host, or for all its subdomains too. ' +
      '`subdomains` breaks subdomains that are still served over http.',
  }),
  METRICS_PORT: integer({
    default: 0,
    min: 0,
    max: 65_535,
    about:
      'Port that serves `/metrics` and nothing else, apart from visitors; 0: off. Without it and without METRICS_TOKEN, ' +
      '`/metrics` responds only to clients on the same machine.',
  }),
  METRICS_TOKEN: secret({
    minLength: SECRET_MIN_LENGTH,
    about: 'Bearer token with which `/metrics` may be read on PORT.',
  }),
  HTTP_FAST_PATH: onOff({
    default: true,
    about:
      'Serves polls, joins and tier 1 checks without the web framework, at less CPU per request. Responses are the ' +
      'same either way. Tracing turns it off.',
  }),
  STOP_TIMEOUT_MS: integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    about: 'How long to wait for requests in progress when stopping.',
  }),
  DEMO: onOff({ default: true, about: 'Create the room `demo-concert` on the first start.' }),
};

export interface ServerConfig {
  host: string;
  port: number;
  dataDir: string;
  roles: readonly RoleName[];
  logLevel: string;
  trustProxy: readonly string[];
  trustedOrigins: readonly string[];
  corsOrigins: readonly string[];
  /** Systems whose clients are served by translation. */
  compat: readonly string[];
  /** The value of Strict-Transport-Security; undefined: none. */
  hsts: string | undefined;
  /** 0: no port of its own. */
  metricsPort: number;
  metricsToken: string | undefined;
  /** Whether hot endpoints bypass the framework (docs/architecture.md). Tracing turns it off too. */
  httpFastPath: boolean;
  stopTimeoutMs: number;
}

export function toServerConfig(values: Values<typeof serverSettings>): ServerConfig {
  return {
    host: values.HOST!,
    port: values.PORT,
    dataDir: values.DATA_DIR!,
    roles: toRoles(values.FAIRLINE_ROLES),
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    trustedOrigins: values.TRUSTED_ORIGINS,
    corsOrigins: values.CORS_ORIGINS,
    compat: values.COMPAT,
    hsts: HSTS_VALUES[values.HSTS],
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN,
    httpFastPath: values.HTTP_FAST_PATH,
    stopTimeoutMs: values.STOP_TIMEOUT_MS,
  };
}

const HSTS_VALUES = {
  off: undefined,
  host: 'max-age=31536000',
  subdomains: 'max-age=31536000; includeSubDomains',
};

export function toRoles(names: readonly (RoleName | 'all')[]): readonly RoleName[] {
  return names.includes('all') ? roleNames : roleNames.filter((name) => names.includes(name));
}

/** Settings of the process: where it listens, what it runs, what it logs. */
import { integer, list, oneOf, onOff, text, type Values } from '../platform/settings/settings.ts';
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
      'trail and, without MAIL_URL, mails are written there.',
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
    httpFastPath: values.HTTP_FAST_PATH,
    stopTimeoutMs: values.STOP_TIMEOUT_MS,
  };
}

export function toRoles(names: readonly (RoleName | 'all')[]): readonly RoleName[] {
  return names.includes('all') ? roleNames : roleNames.filter((name) => names.includes(name));
}

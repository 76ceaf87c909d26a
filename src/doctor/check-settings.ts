/** Warns about settings that are valid but usually a mistake. */
import { type Check, ok, warning } from './check.ts';

export interface CheckedSettings {
  host: string;
  trustProxy: readonly string[];
  cookieSecure: 'auto' | 'on' | 'off';
  journalSync: boolean;
  hasRedis: boolean;
  /** Names of the *_PREVIOUS secrets that are set. */
  previousSecrets: readonly string[];
}

export function checkSettings(settings: CheckedSettings): Check[] {
  const { host, trustProxy, cookieSecure, journalSync, hasRedis, previousSecrets } = settings;
  const checks: Check[] = [];
  const isPublic = !['127.0.0.1', '::1', 'localhost'].includes(host);
  if (isPublic && trustProxy.length === 0) {
    const advice =
      'behind a proxy, set it to the proxy’s address: otherwise all visitors share the proxy’s address and its rate limits';
    checks.push(warning('TRUST_PROXY', `none, with HOST=${host}`, advice));
  }
  if (isPublic && cookieSecure === 'off') {
    checks.push(
      warning('COOKIE_SECURE', 'off', 'set it to auto, so that cookies from TLS connections are not sent without TLS'),
    );
  }
  if (!hasRedis && !journalSync) {
    checks.push(warning('JOURNAL_SYNC', 'off', 'turn it on for a real sale: a power failure can lose places'));
  }
  for (const name of previousSecrets) {
    checks.push(warning(name, 'set', 'remove it once the tokens signed with it have expired'));
  }
  return checks.length > 0 ? checks : [ok('settings', 'valid')];
}

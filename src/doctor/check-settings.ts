/** Settings that are allowed and still seldom meant. */
import { type Check, ok, warning } from './check.ts';

export interface DoubtfulSettings {
  host: string;
  trustProxy: readonly string[];
  cookieSecure: 'auto' | 'on' | 'off';
  journalSync: boolean;
  hasRedis: boolean;
  /** Names of the secrets of before the last rotation that are still set. */
  previousSecrets: readonly string[];
}

export function checkSettings(settings: DoubtfulSettings): Check[] {
  const { host, trustProxy, cookieSecure, journalSync, hasRedis, previousSecrets } = settings;
  const checks: Check[] = [];
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(host);
  if (isOpen && trustProxy.length === 0) {
    const advice = 'behind a proxy, name its address there: else everybody has the proxy’s, and its limits';
    checks.push(warning('TRUST_PROXY', `none, with HOST=${host}`, advice));
  }
  if (isOpen && cookieSecure === 'off') {
    checks.push(warning('COOKIE_SECURE', 'off', 'leave it at auto, so that cookies over TLS stay there'));
  }
  if (!hasRedis && !journalSync) {
    checks.push(warning('JOURNAL_SYNC', 'off', 'switch it on for a real sale: a power cut may lose places'));
  }
  for (const name of previousSecrets) {
    checks.push(warning(name, 'set', 'drop it once the tokens of before the rotation have expired'));
  }
  return checks.length > 0 ? checks : [ok('settings', 'valid')];
}

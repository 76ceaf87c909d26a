/** TRUST_PROXY: not wider than the proxies, and not missing one that the running line has seen. */
import proxyAddr from '@fastify/proxy-addr';
import { type AddressFinding, describeFinding } from '../identity/address-watch.ts';
import { type Check, warning } from './check.ts';

/** Ranges larger than any network of one team. */
const WIDEST = { v4: 8, v6: 16 };
const RECENT_MS = 24 * 3_600_000;

export function checkProxies(trustProxy: readonly string[], findings: readonly AddressFinding[], now: number): Check[] {
  return [...trustProxy.filter(isTooWide).map(warnOfWidth), ...findings.flatMap((finding) => warnOf(finding))];

  function warnOf(finding: AddressFinding): Check[] {
    const isTrusted = proxyAddr.compile([...trustProxy])(finding.address, 0);
    // Seen before the setting was corrected.
    const isSettled = finding.cause !== 'silent_proxy' && isTrusted;
    if (isSettled || finding.at < now - RECENT_MS) return [];
    const { found, advice } = describeFinding(finding);
    return [warning('TRUST_PROXY', `${found} (seen ${new Date(finding.at).toISOString()})`, advice)];
  }
}

function warnOfWidth(range: string): Check {
  return warning(
    'TRUST_PROXY',
    `${range} trusts nearly every client`,
    'name only the addresses of your proxies: anyone in this range can claim any address in X-Forwarded-For',
  );
}

function isTooWide(range: string): boolean {
  const [address = '', bits] = range.split('/');
  return bits !== undefined && Number(bits) < (address.includes(':') ? WIDEST.v6 : WIDEST.v4);
}

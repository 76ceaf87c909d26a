/** Which hosts may be load-tested: this machine, private networks, and hosts confirmed with --i-own. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { ServerAddress } from './http/connection.ts';

/** A server that may be load-tested. */
export type Target = ServerAddress;

export type TargetResult = { ok: true; target: Target } | { ok: false; problem: string };

const own = new BlockList();
own.addSubnet('127.0.0.0', 8, 'ipv4');
own.addSubnet('10.0.0.0', 8, 'ipv4');
own.addSubnet('172.16.0.0', 12, 'ipv4');
own.addSubnet('192.168.0.0', 16, 'ipv4');
own.addAddress('::1', 'ipv6');
own.addSubnet('fc00::', 7, 'ipv6');

/** `owned`: the host named with --i-own. */
export async function findTarget(text: string, owned: string | undefined): Promise<TargetResult> {
  const url = parseUrl(text);
  if (url === undefined) return { ok: false, problem: `${text}: expected an http or https URL` };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await resolve(host);
  if (found.length === 0) return { ok: false, problem: `${text}: unknown host ${host}` };
  const isOwned = owned !== undefined && owned.toLowerCase() === host.toLowerCase();
  const stranger = found.find(({ address }) => !isPrivate(address));
  if (stranger !== undefined && !isOwned) {
    return {
      ok: false,
      problem:
        `${host} (${stranger.address}) is neither this machine nor a private address. A rehearsal can overload a site; ` +
        `if it is yours, confirm with --i-own ${host}`,
    };
  }
  const { address } = found[0]!;
  return { ok: true, target: { url: url.href, address } };
}

export function isPrivate(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && own.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function parseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.search === '';
  return isPlain ? url : undefined;
}

async function resolve(host: string): Promise<{ address: string }[]> {
  const version = isIP(host);
  if (version !== 0) return [{ address: host }];
  try {
    return await lookup(host, { all: true });
  } catch {
    return [];
  }
}

/**
 * Notices that many visitors seem to have one address, because a proxy in front of this process is not in TRUST_PROXY or
 * does not say whom it forwards. Such visitors share the limits of one address. Joins call it, so it does next to nothing
 * per call: it compares two texts and counts the new guests of private addresses.
 */
import proxyAddr from '@fastify/proxy-addr';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { Caller } from '../platform/http-server/callers.ts';
import { isPrivateAddress, toPlainAddress } from './private-address.ts';

/**
 * `untrusted_proxy`: a peer sends X-Forwarded-For and is not in TRUST_PROXY. `shared_address`: many guests come from one
 * private address that does not. `silent_proxy`: the same, from an address that is in TRUST_PROXY.
 */
export const addressCauses = ['untrusted_proxy', 'shared_address', 'silent_proxy'] as const;
export type AddressCause = (typeof addressCauses)[number];

export interface AddressFinding {
  cause: AddressCause;
  /** The address that was seen last. */
  address: string;
  /** The value that TRUST_PROXY should have if the address is the team's own proxy. */
  trustProxy: string;
  /** When it was seen last, in ms since 1970. */
  at: number;
}

export interface AddressWatchOptions {
  trustProxy: readonly string[];
  clock: Clock;
  /** Called at most once an hour per cause. */
  onFinding: (finding: AddressFinding) => void;
}

/** A proxy of a visitor's own network may add the header too; many visitors with one public address are behind our own. */
const MANY = 20;
const COUNTED_MS = 600_000;
const TELL_AGAIN_MS = 3_600_000;
/** A finding is shown for this long after it was seen last. */
export const SHOWN_MS = 3_600_000;
const ADDRESSES = 1_000;

export class AddressWatch {
  readonly #options: AddressWatchOptions;
  readonly #isTrusted: (address: string, hop: number) => boolean;
  readonly #guests = new RecentMap<Count>(ADDRESSES);
  readonly #forwarded = new RecentMap<Count>(ADDRESSES);
  readonly #findings = new Map<AddressCause, AddressFinding>();
  readonly #toldAt = new Map<AddressCause, number>();

  constructor(options: AddressWatchOptions) {
    this.#options = options;
    this.#isTrusted = proxyAddr.compile([...options.trustProxy]);
  }

  /** Every join. If the peer were trusted, or the header said nothing new, `ip` would be one of its addresses. */
  noteJoin(caller: Pick<Caller, 'ip' | 'headers'>): void {
    const forwarded = caller.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return;
    const address = toPlainAddress(caller.ip);
    if (forwarded.includes(address)) return;
    if (isPrivateAddress(address) || this.#count(this.#forwarded, address) >= MANY) {
      this.#find('untrusted_proxy', address);
    }
  }

  /** A join that made a new guest. Unlike repeated joins, those of one person are few. */
  noteGuest({ ip, headers }: Pick<Caller, 'ip' | 'headers'>): void {
    const address = toPlainAddress(ip);
    if (headers['x-forwarded-for'] !== undefined || !isPrivateAddress(address)) return;
    if (this.#count(this.#guests, address) < MANY) return;
    this.#find(this.#isTrusted(address, 0) ? 'silent_proxy' : 'shared_address', address);
  }

  /** Those of the last hour. */
  list(): AddressFinding[] {
    const since = this.#options.clock.now() - SHOWN_MS;
    return [...this.#findings.values()].filter(({ at }) => at >= since);
  }

  #count(counts: RecentMap<Count>, address: string): number {
    const now = this.#options.clock.now();
    const known = counts.get(address);
    if (known !== undefined && now - known.since < COUNTED_MS) {
      known.count += 1;
      return known.count;
    }
    counts.set(address, { count: 1, since: now });
    return 1;
  }

  #find(cause: AddressCause, address: string): void {
    const { trustProxy, clock, onFinding } = this.#options;
    const at = clock.now();
    const finding = { cause, address, trustProxy: toSetting(trustProxy, address, cause), at };
    this.#findings.set(cause, finding);
    if (at - (this.#toldAt.get(cause) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) return;
    this.#toldAt.set(cause, at);
    onFinding(finding);
  }
}

interface Count {
  count: number;
  since: number;
}

function toSetting(trustProxy: readonly string[], address: string, cause: AddressCause): string {
  return cause === 'silent_proxy' ? trustProxy.join() : [...trustProxy, address].join();
}

/** For the log and the doctor: what was seen and which setting to change to what. */
export function describeFinding({ cause, address, trustProxy }: AddressFinding): { found: string; advice: string } {
  switch (cause) {
    case 'untrusted_proxy':
      return {
        found: `${address} sends X-Forwarded-For and is not in TRUST_PROXY, so all its visitors share the limits of one address`,
        advice: `if ${address} is your proxy, set TRUST_PROXY=${trustProxy}; otherwise ignore this, the header is not believed`,
      };
    case 'shared_address':
      return {
        found: `many guests come from the private address ${address} and share its limits`,
        advice: `if ${address} is your proxy, let it send X-Forwarded-For and set TRUST_PROXY=${trustProxy}`,
      };
    case 'silent_proxy':
      return {
        found: `many guests come from ${address}, which is in TRUST_PROXY but does not send X-Forwarded-For`,
        advice: `let the proxy at ${address} set X-Forwarded-For to the address of the visitor`,
      };
  }
}

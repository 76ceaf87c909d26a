/**
 * IP addresses and ranges (CIDR), IPv4 and IPv6. An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4
 * address, so a range means the same whichever socket a request came through. Uses no Node APIs.
 */

/** 2 groups of 16 bits for IPv4, 8 for IPv6. */
export type Address = readonly number[];

export interface AddressRange {
  /** With the bits beyond the prefix at 0. */
  start: Address;
  bits: number;
}

const GROUP_BITS = 16;
const DECIMAL = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const MAPPED_GROUPS = 6;
const MAPPED_BITS = MAPPED_GROUPS * GROUP_BITS;
/** Shorter prefixes hold a large part of the Internet: rather a mistake than a wish. */
const FEWEST_BITS = { 2: 8, 8: 16 };

/** undefined if the text is no IP address. Ignores the zone of `fe80::1%eth0`. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const zone = text.indexOf('%');
  const groups = parseIpv6(zone === -1 ? text : text.slice(0, zone));
  return groups !== undefined && isMapped(groups) ? groups.slice(MAPPED_GROUPS) : groups;
}

/** An address, or a range such as `192.0.2.0/24` or `2001:db8::/32`. A text: why it is none. */
export function parseRange(text: string): AddressRange | string {
  const [address = '', prefix, ...rest] = text.split('/');
  const start = parseAddress(address);
  if (start === undefined || address.includes('%') || rest.length > 0) return `${text} is no IP address or CIDR range`;
  const most = start.length * GROUP_BITS;
  if (prefix === undefined) return { start, bits: most };
  const isMappedText = address.includes(':') && start.length === 2;
  const bits = Number(prefix) - (isMappedText ? MAPPED_BITS : 0);
  if (!DECIMAL.test(prefix) || bits < 0 || bits > most) return `${text} has no valid prefix length`;
  if (bits < FEWEST_BITS[start.length as 2 | 8]) {
    return `${text} is too wide; the prefix must have at least 8 bits (IPv4) or 16 bits (IPv6)`;
  }
  if (toKey(maskTo(start, bits)) !== toKey(start))
    return `${text} has bits beyond its prefix; write ${show(start, bits)}`;
  return { start, bits };
}

/** Values by range: one lookup per prefix length, however many ranges there are. */
export class RangeMap<T> {
  readonly #byLength = new Map<string, { groups: number; bits: number; values: Map<string, T> }>();

  get isEmpty(): boolean {
    return this.#byLength.size === 0;
  }

  /** `merge`: of two values for the same range. */
  add({ start, bits }: AddressRange, value: T, merge: (before: T, value: T) => T): void {
    const groups = start.length;
    const length = this.#byLength.get(`${groups}/${bits}`) ?? { groups, bits, values: new Map<string, T>() };
    const key = toKey(start);
    const before = length.values.get(key);
    length.values.set(key, before === undefined ? value : merge(before, value));
    this.#byLength.set(`${groups}/${bits}`, length);
  }

  has(address: Address): boolean {
    return !this.findAll(address).next().done;
  }

  /** The values of all ranges that hold the address. */
  *findAll(address: Address): Generator<T> {
    for (const { groups, bits, values } of this.#byLength.values()) {
      if (groups !== address.length) continue;
      const found = values.get(toKey(maskTo(address, bits)));
      if (found !== undefined) yield found;
    }
  }
}

function maskTo(address: Address, bits: number): Address {
  return address.map((group, index) => group & maskAt(index, bits));
}

/** The mask of one group. */
function maskAt(index: number, bits: number): number {
  const kept = Math.min(GROUP_BITS, Math.max(0, bits - index * GROUP_BITS));
  return (0xffff << (GROUP_BITS - kept)) & 0xffff;
}

function toKey(address: Address): string {
  return address.join(',');
}

function show(address: Address, bits: number): string {
  const masked = maskTo(address, bits);
  const isIpv4 = masked.length === 2;
  const parts = isIpv4
    ? masked.flatMap((group) => [group >> 8, group & 0xff])
    : masked.map((group) => group.toString(16));
  return `${parts.join(isIpv4 ? '.' : ':')}/${bits}`;
}

function isMapped(groups: Address): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

/** Without leading zeros, which some programs read as octal. */
function parseIpv4(text: string): Address | undefined {
  const parts = text.split('.');
  const bytes = parts.map(Number);
  if (parts.length !== 4 || !parts.every((part) => DECIMAL.test(part)) || bytes.some((byte) => byte > 255)) {
    return undefined;
  }
  return [(bytes[0]! << 8) | bytes[1]!, (bytes[2]! << 8) | bytes[3]!];
}

function parseIpv6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [left, right] = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  if (left === undefined || (halves.length === 2 && right === undefined)) return undefined;
  if (right === undefined) return left.length === 8 ? left : undefined;
  const missing = 8 - left.length - right.length;
  return missing < 1 ? undefined : [...left, ...new Array<number>(missing).fill(0), ...right];
}

/** Groups between colons. Only the last one of an address may be an IPv4 address. */
function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) groups.push(Number.parseInt(part, 16));
    else {
      const ipv4 = isEnd && index === parts.length - 1 ? parseIpv4(part) : undefined;
      if (ipv4 === undefined) return undefined;
      groups.push(...ipv4);
    }
  }
  return groups;
}

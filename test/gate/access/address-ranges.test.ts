import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress, parseRange, RangeMap } from '../../../src/gate/decision/address-ranges.ts';

const holds = (range: string, address: string): boolean => {
  const parsed = parseRange(range);
  if (typeof parsed === 'string') throw new Error(parsed);
  const map = new RangeMap<true>();
  map.add(parsed, true, () => true);
  const found = parseAddress(address);
  return found !== undefined && map.has(found);
};
/** Masks as Node's BlockList does, so that the text is a valid range. */
const maskText = (bytes: readonly number[], bits: number) =>
  bytes.map((byte, index) => byte & (0xff << Math.max(0, 8 - Math.max(0, bits - index * 8))) & 0xff);
const toIpv4 = (bytes: readonly number[]) => bytes.join('.');
const toIpv6 = (bytes: readonly number[]) =>
  Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(':');
const bytes = (length: number) => fc.array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length });
/** Near the range, so that both answers occur. */
const flip = (from: readonly number[], at: number) =>
  from.map((byte, index) => (index === Math.floor(at / 8) ? byte ^ (0x80 >> (at % 8)) : byte));

describe('address ranges', () => {
  it('hold the same IPv4 addresses as those of Node, also when written as IPv6', () => {
    fc.assert(
      fc.property(bytes(4), fc.integer({ min: 8, max: 32 }), fc.integer({ min: 0, max: 31 }), (from, bits, at) => {
        const start = maskText(from, bits);
        const address = toIpv4(flip(start, at));
        const node = new BlockList();
        node.addSubnet(toIpv4(start), bits, 'ipv4');
        const expected = node.check(address, 'ipv4');
        expect(holds(`${toIpv4(start)}/${bits}`, address)).toBe(expected);
        expect(holds(`${toIpv4(start)}/${bits}`, `::ffff:${address}`)).toBe(expected);
        expect(holds(`::ffff:${toIpv4(start)}/${bits + 96}`, address)).toBe(expected);
      }),
    );
  });

  it('hold the same IPv6 addresses as those of Node', () => {
    fc.assert(
      fc.property(bytes(16), fc.integer({ min: 16, max: 128 }), fc.integer({ min: 0, max: 127 }), (from, bits, at) => {
        // 2001::/16, so that none is an IPv4 address.
        const start = maskText([0x20, 0x01, ...from.slice(2)], bits);
        const address = toIpv6(flip(start, at));
        const node = new BlockList();
        node.addSubnet(toIpv6(start), bits, 'ipv6');
        expect(holds(`${toIpv6(start)}/${bits}`, address)).toBe(node.check(address, 'ipv6'));
      }),
    );
  });

  it.each(['::ffff:192.0.2.7', '::FFFF:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:c000:0207'])(
    'read %s as the IPv4 address 192.0.2.7',
    (text) => {
      expect(parseAddress(text)).toEqual(parseAddress('192.0.2.7'));
      expect(holds('192.0.2.0/24', text)).toBe(true);
    },
  );

  it('read an address with a zone without it', () => {
    expect(parseAddress('fe80::1%eth0')).toEqual(parseAddress('fe80::1'));
  });

  it.each([
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4 ',
    '0x7f.0.0.1',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::1.2.3',
    '1.2.3.4::',
    ':1',
    '127.1',
    '2130706433',
  ])('find no address in "%s"', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it.each([
    ['10.1.2.3/8', 'write 10.0.0.0/8'],
    ['2001:db8::1/32', 'write 2001:db8:0:0:0:0:0:0/32'],
    ['0.0.0.0/0', 'too wide'],
    ['::/0', 'too wide'],
    ['::ffff:0.0.0.0/96', 'too wide'],
    ['10.0.0.0/33', 'prefix length'],
    ['10.0.0.0/', 'prefix length'],
    ['10.0.0.0/08', 'prefix length'],
    ['10.0.0.0/8/8', 'no IP address'],
    ['fe80::1%eth0', 'no IP address'],
    ['10.0.0.0-10.0.0.9', 'no IP address'],
  ])('refuse %s: %s', (text, why) => {
    expect(parseRange(text)).toContain(why);
  });
});

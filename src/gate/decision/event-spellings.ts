/**
 * The event ids that a site may read an id as. Databases accept several spellings of a UUID (`A-1`, `a1`). Frameworks
 * read `07`, `7abc`, `0x7`, `7e0` and `4294967303` (32 bits) as the number 7.
 */
const NUMBER = /^\d+$/;
const WRAPS_AT = 2n ** 32n;

/** The form under which `readingsOf` finds an id. */
export function canonicalOf(eventId: string): string {
  return NUMBER.test(eventId) ? String(BigInt(eventId)) : fold(eventId);
}

export function readingsOf(eventId: string): Set<string> {
  const plain = eventId.toLowerCase();
  const folded = fold(eventId);
  return new Set([folded, ...numbersIn(plain), ...numbersIn(folded)]);
}

function fold(eventId: string): string {
  return eventId.toLowerCase().replace(/[-_]/g, '');
}

function numbersIn(text: string): string[] {
  const [decimal] = /^\d+/.exec(text) ?? [];
  if (decimal === undefined) return [];
  const [prefixed] = /^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)/.exec(text) ?? [];
  const [, octal] = /^0([0-7]+)/.exec(text) ?? [];
  const scientific = Number(/^\d+e[-+]?\d+/.exec(text)?.[0]);
  const values = [
    BigInt(decimal),
    ...(prefixed === undefined ? [] : [BigInt(prefixed)]),
    ...(octal === undefined ? [] : [BigInt(`0o${octal}`)]),
    ...(Number.isSafeInteger(scientific) ? [BigInt(scientific)] : []),
  ];
  return values.flatMap((value) => (value < WRAPS_AT ? [value] : [value, value % WRAPS_AT])).map(String);
}

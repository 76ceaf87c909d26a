/**
 * Reads the claims of a token if they are written as nearly all programs write them: one flat object, lower-case names,
 * ASCII strings, integers, no white space. Everything else is left to JSON.parse, with the same result; tests compare the
 * two. JSON.parse looks up every string in a table of all strings that it has met. In a crowd of new visitors that lookup
 * takes longer than verifying the token (docs/architecture.md).
 */
const [OPEN, CLOSE, QUOTE, COLON, COMMA, BACKSLASH, ZERO, NINE, A, Z, SPACE, DELETE] = [
  ...Buffer.from('{}":,\\09az \x7f'),
] as [number, number, number, number, number, number, number, number, number, number, number, number];
/** Every integer of this many digits is exact. */
const MOST_DIGITS = 15;
/** The usual names, so that no string has to be made for them. */
const COMMON_NAMES = new Map(
  ['sub', 'exp', 'iat', 'nbf', 'jti', 'iss', 'aud', 'uid'].map((name) => [pack(name), name]),
);

/** undefined if the first `length` bytes are not such an object. */
export function readPlainClaims(bytes: Buffer, length: number): Record<string, unknown> | undefined {
  if (bytes[0] !== OPEN) return undefined;
  const claims: Record<string, unknown> = {};
  for (let at = 1; ; at += 1) {
    const nameEnd = endOfName(bytes, at + 1);
    if (bytes[at] !== QUOTE || bytes[nameEnd] !== QUOTE || bytes[nameEnd + 1] !== COLON) return undefined;
    const name = nameOf(bytes, at + 1, nameEnd);
    const from = nameEnd + 2;
    if (bytes[from] === QUOTE) {
      at = endOfText(bytes, from + 1);
      if (bytes[at] !== QUOTE) return undefined;
      claims[name] = bytes.toString('latin1', from + 1, at);
      at += 1;
    } else {
      at = endOfDigits(bytes, from);
      if (!isPlainNumber(bytes, from, at)) return undefined;
      claims[name] = numberOf(bytes, from, at);
    }
    // Bytes behind `length` are left over from an earlier token.
    if (bytes[at] === CLOSE) return at === length - 1 ? claims : undefined;
    if (bytes[at] !== COMMA) return undefined;
  }
}

function endOfName(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! >= A && bytes[at]! <= Z) at += 1;
  return at;
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! >= SPACE && bytes[at]! < DELETE && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at += 1;
  return at;
}

function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at += 1;
  return at;
}

function isPlainNumber(bytes: Buffer, from: number, to: number): boolean {
  return to > from && to - from <= MOST_DIGITS && bytes[from] !== ZERO;
}

function numberOf(bytes: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + bytes[at]! - ZERO;
  return number;
}

function nameOf(bytes: Buffer, from: number, to: number): string {
  const packed = to - from === 3 ? (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]! : 0;
  return COMMON_NAMES.get(packed) ?? bytes.toString('latin1', from, to);
}

function pack(name: string): number {
  return Buffer.from(name).readUIntBE(0, 3);
}

/**
 * The target of a request as the gate decides on it. Programs differ in how they read a strange path: one takes `%2f`
 * for a slash, another folds `//`, drops `;x` or ignores case. Whatever two programs could read differently is refused,
 * so that what was decided upon is what the site behind the gate sees.
 */
export type RequestTarget =
  | {
      outcome: 'clear';
      /** To be sent on: the path in its normal form (RFC 3986, 6.2.2), the query as it came. */
      normal: string;
      /** Decoded, without the empty one that a trailing slash makes. */
      segments: readonly string[];
      /** As it came, without its question mark. */
      query: string;
    }
  | { outcome: 'ambiguous'; why: string };

const LONGEST_TARGET = 4096;
const LONGEST_PATH = 2048;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const ENCODED = /%([0-9a-fA-F]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;
/** Decoded or not, each of these ends, separates or hides a segment in some program. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const TREACHEROUS = /[\u0000-\u001f\u007f/\\;?#]/;
const STILL_ENCODED = /%[0-9a-fA-F]{2}/;
const NOT_ASCII = /\P{ASCII}/u;
const TELLING_ASCII = /[A-Za-z0-9./\\%;?#]/;

export function readTarget(target: string): RequestTarget {
  if (target.length > LONGEST_TARGET) return ambiguous('the address is too long');
  if (!VISIBLE_ASCII.test(target)) return ambiguous('the address has characters that must be encoded');
  if (target[0] !== '/') return ambiguous('the address must begin with /');
  if (target.includes('#')) return ambiguous('the address has a fragment');
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  if (path.length > LONGEST_PATH) return ambiguous('the path is too long');
  const query = queryAt === -1 ? '' : target.slice(queryAt + 1);
  const segments: string[] = [];
  const encoded = path.slice(1).split('/');
  for (const [index, text] of encoded.entries()) {
    const isTrailingSlash = text === '' && index === encoded.length - 1;
    if (isTrailingSlash) continue;
    const segment = decode(text);
    if (segment === undefined) return ambiguous('the path is not encoded as UTF-8');
    const why = problemOf(segment);
    if (why !== undefined) return ambiguous(why);
    segments.push(segment);
  }
  return { outcome: 'clear', normal: toNormal(path) + target.slice(path.length), segments, query };
}

/** The only value of a field of the query; `many` also where its name comes again in another case. */
export function readQueryField(
  query: string,
  name: string,
): { found: 'one'; value: string } | { found: 'none' | 'many' } {
  const wanted = name.toLowerCase();
  const fields = [...new URLSearchParams(query)].filter(([field]) => field.toLowerCase() === wanted);
  if (fields.length > 1) return { found: 'many' };
  const [field, value] = fields[0] ?? [];
  return field === name && value !== undefined
    ? { found: 'one', value }
    : { found: field === undefined ? 'none' : 'many' };
}

function problemOf(segment: string): string | undefined {
  if (segment === '') return 'the path has an empty segment (//)';
  if (segment.endsWith('.') || segment.endsWith(' ')) return 'a segment of the path is, or ends in, a dot or a space';
  if (TREACHEROUS.test(segment))
    return 'a segment of the path has an encoded slash, a backslash, ; ? # or a control character';
  if (STILL_ENCODED.test(segment)) return 'the path is encoded twice';
  return NOT_ASCII.test(segment) && [...segment].some(passesForAscii)
    ? 'the path has characters that could be taken for others'
    : undefined;
}

/** A full-width slash, a Kelvin sign, a dotless i: what a lenient program would fold into a plain character. */
function passesForAscii(character: string): boolean {
  if (!NOT_ASCII.test(character)) return false;
  const cases = [character.toLowerCase(), character.toUpperCase()].filter((text) => text.length === 1);
  return [character.normalize('NFKC'), ...cases].some((folded) => TELLING_ASCII.test(folded));
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function toNormal(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(ENCODED, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : whole.toUpperCase();
  });
}

const ambiguous = (why: string): RequestTarget => ({ outcome: 'ambiguous', why });

/**
 * Parses and normalizes a request target. Servers differ on unusual paths: one decodes `%2f` to a slash, another merges
 * `//`, drops `;x` or ignores case. Any target that two servers could read differently is refused, so the site behind
 * the gate cannot see another path than the one the gate decided on.
 */
import { foldText } from './fold-text.ts';

export type RequestTarget =
  | {
      outcome: 'clear';
      /** What to forward: the path normalized by RFC 3986 section 6.2.2, the query unchanged. */
      normal: string;
      /** Decoded, without the empty segment of a trailing slash. */
      segments: readonly string[];
      /** Unchanged, without the question mark. */
      query: string;
    }
  | { outcome: 'ambiguous'; why: string };

export const LONGEST_TARGET = 4096;
const LONGEST_PATH = 2048;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const ENCODED = /%([0-9a-fA-F]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;
/**
 * Encoded or not, some server takes each of these as the end of a segment or a separator, or drops it. The last six look
 * like slashes, and code pages convert them to slashes.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it detects.
const UNSAFE = /[\u0000-\u001f\u007f/\\;?#\u2044\u2215\u2216\u29f5\u29f8\u29f9]/;
/** Also with a suffix that servers drop, such as `..,x`. */
const DOTS = /^\.+(?![\p{L}\p{N}_-])/u;
const STILL_ENCODED = /%[0-9a-fA-F]{2}/;
const NOT_ASCII = /\P{ASCII}/u;
const SIGNIFICANT_ASCII = /[A-Za-z0-9./\\%;?#]/;

export function readTarget(target: string): RequestTarget {
  if (target.length > LONGEST_TARGET) return ambiguous(`it is longer than ${LONGEST_TARGET} characters`);
  if (!VISIBLE_ASCII.test(target)) return ambiguous('it has characters that must be percent-encoded');
  if (target[0] !== '/') return ambiguous('it must start with /');
  if (target.includes('#')) return ambiguous('it has a fragment');
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  if (path.length > LONGEST_PATH) return ambiguous(`the path is longer than ${LONGEST_PATH} characters`);
  const query = queryAt === -1 ? '' : target.slice(queryAt + 1);
  const segments: string[] = [];
  const encoded = path.slice(1).split('/');
  for (const [index, text] of encoded.entries()) {
    const isTrailingSlash = text === '' && index === encoded.length - 1;
    if (isTrailingSlash) continue;
    const segment = decode(text);
    if (segment === undefined) return ambiguous('the path is not valid percent-encoded UTF-8');
    const why = problemOf(segment);
    if (why !== undefined) return ambiguous(why);
    segments.push(segment);
  }
  return { outcome: 'clear', normal: toNormal(path) + target.slice(path.length), segments, query };
}

function problemOf(segment: string): string | undefined {
  if (segment === '') return 'the path has an empty segment (//)';
  if (segment !== segment.trim()) return 'a path segment starts or ends with a space';
  const folded = foldText(segment);
  if (folded.endsWith('.') || DOTS.test(folded)) return 'a path segment ends in a dot or consists of dots';
  if (UNSAFE.test(segment)) return 'a path segment has an encoded slash, a backslash, ; ? # or a control character';
  if (STILL_ENCODED.test(folded)) return 'the path is percent-encoded twice';
  return NOT_ASCII.test(segment) && [...segment].some(foldsToAscii)
    ? 'the path has characters that normalize to ASCII'
    : undefined;
}

/** True for a full-width slash, a Kelvin sign, a dotless i: a lenient server may fold them to an ASCII character. */
function foldsToAscii(character: string): boolean {
  if (!NOT_ASCII.test(character)) return false;
  const cases = [character.toLowerCase(), character.toUpperCase()].filter((text) => text.length === 1);
  return [character.normalize('NFKC'), ...cases].some((folded) => SIGNIFICANT_ASCII.test(folded));
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

/**
 * Reads query parameters that decide something. Frameworks disagree on them: PHP reads ` event` and `event[]` as `event`,
 * others separate parameters at `;`, ignore case or take the last of several. A parameter counts only if all of them see
 * it once.
 */
import { foldText } from './fold-text.ts';

export type QueryField = { found: 'one'; value: string } | { found: 'none' | 'many' | 'unclear' };

/** By some framework's reading, each of these ends a name or starts an index: `event[0]`, `event.id`, `event%00x`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL ends a name in C.
const END_OF_NAME = /[\u0000-\u0020[\](){}.:;,|]/;
const NOT_ALPHANUMERIC = /[^\p{L}\p{N}]/gu;
const METHOD_FIELDS = ['method', 'httpmethod', 'xhttpmethod', 'xhttpmethodoverride', 'methodoverride'];

/** Reads a parameter that must occur once, in this spelling. `many`: it occurs again, or in another spelling. */
export function readQueryField(query: string, name: string): QueryField {
  const wanted = toWord(name);
  const names = namesOf(query);
  if (names.some((text) => text === undefined)) return { found: 'unclear' };
  const same = (names as string[]).filter((text) => isRead(text, wanted));
  if (same.length === 0) return { found: 'none' };
  const values = new URLSearchParams(query).getAll(name);
  return same.length === 1 && values.length === 1 ? { found: 'one', value: values[0]! } : { found: 'many' };
}

/** The methods that the query asks the site to use instead, such as `_method=DELETE`. */
export function readMethodOverrides(query: string): string[] {
  if (!/method|%/i.test(query)) return [];
  return [...new URLSearchParams(query.replaceAll(';', '&'))]
    .filter(([name]) => METHOD_FIELDS.some((field) => isRead(name, field)))
    .map(([, value]) => value.trim().toUpperCase());
}

/** undefined: not valid percent-encoding, which servers repair in different ways. */
function namesOf(query: string): (string | undefined)[] {
  return query
    .split(/[&;]/)
    .filter((field) => field !== '')
    .map((field) => decode(field.split('=', 1)[0]!));
}

function isRead(name: string, wanted: string): boolean {
  const [base = ''] = name.trimStart().split(END_OF_NAME);
  return toWord(name) === wanted || toWord(base) === wanted;
}

function toWord(name: string): string {
  return foldText(name).replace(NOT_ALPHANUMERIC, '');
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The page that a visitor wanted when they were sent to wait: the query parameter `to` of the waiting pages and the
 * doors. Checked where it goes in (the gate) and where it comes out (the doors, the pages and their scripts), because
 * anyone can write a link with a `to`. Uses no Node APIs.
 */

export const LONGEST_WANTED_PAGE = 1_024;
/** Visible ASCII without `#` and the backslash, which browsers read as a slash. They also strip tabs and line breaks. */
const OWN_TARGET = /^\/[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
/** Browsers keep these encoded, but a server or a proxy behind may decode them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it detects.
const UNSAFE = /[\u0000-\u001f\u007f/\\]/;
const WAITING_PAGES: readonly (string | undefined)[] = ['queue', 'vwr', 'vwr-api'];

/** `value` if it is a page of this site that a visitor can be sent to, else undefined. */
export function toWantedPage(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_WANTED_PAGE) return undefined;
  const segments = readOwnPath(value);
  // A waiting page would send its visitors to itself.
  return segments === undefined || WAITING_PAGES.includes(segments[0]?.toLowerCase()) ? undefined : value;
}

/** True for a path of this site, with or without a query, that no browser reads as another site. */
export function isOwnTarget(target: string): boolean {
  return readOwnPath(target) !== undefined;
}

/** Whether a target, which may be a template, leads to a page on which visitors wait. */
export function isWaitingPage(target: string): boolean {
  return WAITING_PAGES.includes(/^\/([^/?#]*)/.exec(target)?.[1]?.toLowerCase());
}

/** `page` is a path of ours, with or without a query. */
export function withWantedPage(page: string, wanted: string | undefined): string {
  if (wanted === undefined) return page;
  return `${page}${page.includes('?') ? '&' : '?'}to=${encodeURIComponent(wanted)}`;
}

/** The decoded segments; undefined if a browser or a server could read the target as another site or another path. */
function readOwnPath(target: string): string[] | undefined {
  if (!OWN_TARGET.test(target)) return undefined;
  const [path = ''] = target.split('?', 1);
  const encoded = path.slice(1).split('/');
  const segments: string[] = [];
  for (const [index, text] of encoded.entries()) {
    const isTrailingSlash = text === '' && index === encoded.length - 1;
    if (isTrailingSlash) continue;
    const segment = decode(text);
    // Dot segments and empty ones can make `//evil.example` of a harmless path.
    if (segment === undefined || segment === '' || /^\.\.?$/.test(segment) || UNSAFE.test(segment)) return undefined;
    segments.push(segment);
  }
  return segments;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

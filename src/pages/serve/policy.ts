/** What a page may load and run: its own files, and the one style that stands in it. */
import { createHash } from 'node:crypto';

export interface PolicyOptions {
  /** The style in the page. */
  style: string;
  /** Whether it loads a style sheet as well. */
  hasSheet: boolean;
  /** Where pictures may come from, besides this site and the page itself. */
  pictures?: string | undefined;
}

export function toPolicy({ style, hasSheet, pictures }: PolicyOptions): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${hasSheet ? "'self' " : ''}'sha256-${hash}'`,
    "connect-src 'self'",
    `img-src 'self' data:${pictures === undefined ? '' : ` ${pictures}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The site that a logo comes from; undefined where that is this one. */
export function originOf(address: string | undefined): string | undefined {
  return address?.startsWith('https://') ? new URL(address).origin : undefined;
}

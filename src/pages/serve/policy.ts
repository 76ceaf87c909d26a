/** The content security policy of a page: its own files, its inline style by hash, and nothing else. */
import { createHash } from 'node:crypto';

export interface PolicyOptions {
  /** The page's inline style. Pages without one load a style sheet only. */
  style?: string;
  /** Whether the page loads a style sheet. */
  hasSheet: boolean;
  /** Image sources besides this site. */
  images?: readonly string[];
  /** Whether the page has forms that submit without JavaScript. */
  hasForms: boolean;
}

export function toPolicy({ style, hasSheet, images = [], hasForms }: PolicyOptions): string {
  const styles = [...(hasSheet ? ["'self'"] : []), ...(style === undefined ? [] : [toHash(style)])];
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles.join(' ')}`,
    "connect-src 'self'",
    `img-src ${["'self'", ...images].join(' ')}`,
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function toHash(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** The site that serves a logo; undefined if it is this one. */
export function originOf(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? new URL(url).origin : undefined;
}

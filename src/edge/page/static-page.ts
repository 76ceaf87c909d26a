/** The files of the page as they are sent: made once, compressed once, the same for every event and everybody. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

export interface StaticFile {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  etag: string;
}

export interface StaticPage {
  html: StaticFile;
  script: StaticFile;
  /** No script but our own file, no style but the one in the page. */
  policy: string;
}

const SCRIPT = '/vwr/assets/vwr.js';

export function loadStaticPage(): StaticPage {
  const script = readFileSync(new URL('vwr.js', import.meta.url), 'utf8');
  const version = digest(script).slice(0, 12);
  // The name changes with the content, so that whatever a cache holds fits together.
  const html = readFileSync(new URL('vwr.html', import.meta.url), 'utf8').replace(SCRIPT, `${SCRIPT}?v=${version}`);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  return {
    html: toFile('text/html; charset=utf-8', html),
    script: toFile('text/javascript; charset=utf-8', script),
    policy: toPolicy(style),
  };
}

/** For a page with this style in it. */
export function toPolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash}'`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function toFile(type: string, text: string): StaticFile {
  const body = Buffer.from(text);
  return { type, body, gzipped: gzipSync(body, { level: 9 }), etag: `"${digest(text).slice(0, 22)}"` };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

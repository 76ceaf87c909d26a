/** A page as `npm run build` left it, dressed in the theme of this instance: made once, at the start. */
import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Theme, toStyle } from '../design/theme.ts';
import { originOf, toPolicy } from './policy.ts';
import { FOR_EVER, type StaticFile, sendFile, toStaticFile } from './static-file.ts';

export type PageName = 'queue' | 'vwr' | 'shop' | 'admin';

export interface BuiltPage {
  html: StaticFile;
  /** What stands in its style element. */
  style: string;
  policy: string;
  /** Scripts and style sheets by their address. */
  assets: ReadonlyMap<string, StaticFile>;
}

export interface PageOptions {
  name: PageName;
  theme: Theme;
  /** Where its files are, `/queue/assets`: under an address that stands wherever the page does. */
  assetsAt: string;
  /** Whether its style stands in it: spares a small page a request before the first paint. */
  inlineStyle: boolean;
  /** What the page is told besides the theme. */
  facts?: Record<string, unknown>;
  pictures?: string;
}

export function loadPage({ name, theme, assetsAt, facts = {}, inlineStyle, pictures }: PageOptions): BuiltPage {
  const read = (file: string) => readFileSync(new URL(file, folder()), 'utf8');
  const files = inlineStyle ? [`${name}.js`] : [`${name}.js`, `${name}.css`];
  const assets = new Map(files.map((file) => [`${assetsAt}/${file}`, toStaticFile(file, read(file))]));
  const style = toStyle(theme) + (inlineStyle ? read(`${name}.css`) : '');
  const data = JSON.stringify({ logo: theme.logo, texts: theme.texts, ...facts }).replaceAll('<', '\\u003c');
  // The address changes with the content, and an old one is answered too: whatever a cache holds goes on working.
  const addressOf = (path: string) => `${path}?v=${assets.get(path)!.etag.slice(1, 13)}`;
  const link = inlineStyle ? '' : `<link rel="stylesheet" href="${addressOf(`${assetsAt}/${name}.css`)}">`;
  const html = read(`${name}.html`)
    .replace('<!--style-->', () => `<style>${style}</style>${link}`)
    .replace('<!--data-->', () => `<script type="application/json" id="facts">${data}</script>`)
    .replace('<!--script-->', `<script type="module" src="${addressOf(`${assetsAt}/${name}.js`)}"></script>`);
  return {
    html: toStaticFile('page.html', html),
    style,
    policy: toPolicy({ style, hasSheet: !inlineStyle, pictures: pictures ?? originOf(theme.logo) }),
    assets,
  };
}

export function serveAssets(app: FastifyInstance, { assets }: BuiltPage): void {
  for (const [path, file] of assets) {
    app.get(path, { schema: { hide: true } }, (request, reply) => sendFile(file, FOR_EVER, request, reply));
  }
}

/** Beside the compiled program, whether this is a part of it or of the sources. */
function folder(): URL {
  const beside = new URL('../../../pages/', import.meta.url);
  return existsSync(new URL('queue.html', beside)) ? beside : new URL('../../../dist/pages/', import.meta.url);
}

/** A page from `npm run build`, assembled once at startup with the theme of this instance. */
import type { FastifyInstance } from 'fastify';
import { type Theme, toStyle } from '../design/theme.ts';
import { readBuilt } from './built-file.ts';
import { toIconLink, toMark } from './icons.ts';
import { originOf, toPolicy } from './policy.ts';
import { IMMUTABLE, type StaticFile, serveFile, toStaticFile } from './static-file.ts';

export type PageName = 'queue' | 'vwr' | 'pass' | 'shop' | 'admin';

export interface BuiltPage {
  html: StaticFile;
  /** The content of its style element. */
  style: string;
  policy: string;
  /** Scripts and style sheets by path. */
  assets: ReadonlyMap<string, StaticFile>;
}

export interface PageOptions {
  name: PageName;
  theme: Theme;
  /** Where its files are, `/queue/assets`: below the path of the page, so that one proxy rule covers both. */
  assetsAt: string;
  /** Puts the style sheet into the page, which saves a small page a request before the first paint. */
  inlineStyle: boolean;
  /** Data for the page's script, in addition to the theme. */
  facts?: Record<string, unknown>;
  /** Further scripts beside the page's own, such as a worker. */
  scripts?: readonly string[];
  /** Where images may come from, besides this site; by default the site of the logo. */
  imagesFrom?: string;
}

export function loadPage(options: PageOptions): BuiltPage {
  const { name, theme, assetsAt, facts = {}, inlineStyle, scripts = [], imagesFrom } = options;
  const files = [`${name}.js`, ...(inlineStyle ? [] : [`${name}.css`]), ...scripts];
  const assets = new Map(files.map((file) => [`${assetsAt}/${file}`, toStaticFile(file, readBuilt(file))]));
  const style = toStyle(theme) + (inlineStyle ? readBuilt(`${name}.css`) : '');
  const data = JSON.stringify({
    logo: theme.logo,
    organiser: theme.organiser,
    texts: theme.texts,
    ...facts,
  }).replaceAll('<', '\\u003c');
  // The version is only a cache key: the server ignores it, so a cached page of an older version still loads.
  const urlOf = (path: string) => `${path}?v=${assets.get(path)!.etag.slice(1, 13)}`;
  const link = inlineStyle ? '' : `<link rel="stylesheet" href="${urlOf(`${assetsAt}/${name}.css`)}">`;
  const html = readBuilt(`${name}.html`)
    .replace('<link rel="icon" href="data:,">', () => toIconLink(theme.logo))
    .replace('<!--mark-->', () => toMark(theme.logo))
    .replace('<!--style-->', () => `<style>${style}</style>${link}`)
    .replace('<!--data-->', () => `<script type="application/json" id="facts">${data}</script>`)
    .replace('<!--script-->', `<script type="module" src="${urlOf(`${assetsAt}/${name}.js`)}"></script>`);
  const images = imagesFrom ?? originOf(theme.logo);
  return {
    html: toStaticFile('page.html', html),
    style,
    policy: toPolicy({
      style,
      hasSheet: !inlineStyle,
      images: images === undefined ? ['data:'] : ['data:', images],
      hasForms: true,
    }),
    assets,
  };
}

export function serveAssets(app: FastifyInstance, { assets }: BuiltPage): void {
  for (const [path, file] of assets) serveFile(app, path, file, { cache: IMMUTABLE });
}

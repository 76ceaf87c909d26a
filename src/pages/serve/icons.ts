/** The icon of all pages: the logo of the theme, else our mark in the accent colour. */
import type { FastifyPluginAsync } from 'fastify';
import { inkOn } from '../design/colours.ts';
import { LOGO_BOX, LOGO_PATH, toLogoSvg } from '../design/logo.ts';
import type { Theme } from '../design/theme.ts';
import { readBuiltBytes } from './built-file.ts';
import { serveFile, toStaticFile } from './static-file.ts';

/** The URLs do not change with the content. */
const CACHE = 'public, max-age=86400';

export function toIconLink(logo: string | undefined): string {
  return `<link rel="icon" href="${logo ?? '/favicon.svg'}">`;
}

/** The mark beside the name of the site; a logo of the theme replaces both. */
export function toMark(logo: string | undefined): string {
  if (logo !== undefined) return '';
  return (
    `<svg class="logo-mark" viewBox="${LOGO_BOX}" aria-hidden="true"><rect width="32" height="32" rx="7"/>` +
    `<path d="${LOGO_PATH}"/></svg>`
  );
}

export interface IconsOptions {
  theme: Theme;
}

export const icons: FastifyPluginAsync<IconsOptions> = async (app, { theme }) => {
  const { accent } = theme.colours.light;
  const svg = toStaticFile('favicon.svg', toLogoSvg(accent, inkOn(accent)));
  serveFile(app, '/favicon.svg', svg, { cache: CACHE });
  // Browsers ask for it where a page names no icon: the API, files, pages of older versions in caches.
  serveFile(app, '/favicon.ico', toStaticFile('favicon.ico', readBuiltBytes('favicon.ico')), { cache: CACHE });
};

/** `/design`: every token and component in light, dark and high contrast, with the theme of this instance. For development. */
import type { FastifyPluginAsync } from 'fastify';
import { toSpecimens } from '../design/specimens.ts';
import { type Theme, toModeStyle, toStyle } from '../design/theme.ts';
import { readBuilt } from './built-file.ts';
import { toIconLink } from './icons.ts';
import { toPolicy } from './policy.ts';
import { serveFile, toStaticFile } from './static-file.ts';

export const designPage: FastifyPluginAsync<{ theme: Theme }> = async (app, { theme }) => {
  const style = toStyle(theme) + readBuilt('design.css') + toModeStyle(theme);
  const modes = ['light', 'dark', 'contrast'].map(
    (mode) => `<div class="mode ${mode}" id="${mode}"><h1>${mode}</h1>${toSpecimens(mode)}</div>`,
  );
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Design</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `${toIconLink(theme.logo)}<style>${style}</style></head><body id="top">${modes.join('')}</body></html>`;
  serveFile(app, '/design', toStaticFile('design.html', html), {
    cache: 'no-store',
    policy: toPolicy({ style, hasSheet: false, hasForms: false }),
  });
};

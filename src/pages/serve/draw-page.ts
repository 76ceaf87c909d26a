/**
 * The page on which anyone verifies a draw in their own browser. Its script is served as written, neither bundled nor
 * minified, because visitors are meant to read it.
 */
import type { FastifyPluginAsync } from 'fastify';
import { type Theme, toStyle } from '../design/theme.ts';
import { readBuilt } from './built-file.ts';
import { toMark } from './icons.ts';
import { toPolicy } from './policy.ts';
import { serveFile, toStaticFile } from './static-file.ts';

const files = {
  '/draw/:eventId': 'draw.html',
  '/draw/assets/draw.js': 'draw.js',
  '/draw/assets/draw.css': 'draw.css',
};
// The URLs do not change with the content: a correction has to arrive within a minute.
const CACHE = 'public, max-age=60';

export interface DrawPageOptions {
  theme: Theme;
}

export const drawPage: FastifyPluginAsync<DrawPageOptions> = async (app, { theme }) => {
  const headers = {
    cache: CACHE,
    policy: toPolicy({ hasSheet: true, hasForms: false }),
    referrerPolicy: 'no-referrer',
  };
  for (const [path, file] of Object.entries(files)) {
    const built = readBuilt(file).replace('<!--mark-->', () => toMark(theme.logo));
    const content = file === 'draw.css' ? toStyle(theme) + built : built;
    serveFile(app, path, toStaticFile(file, content), headers);
  }
};

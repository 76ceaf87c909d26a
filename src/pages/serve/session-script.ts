/** `/fairline.js`: the script that keeps a session alive on pages of other sites. */
import type { FastifyPluginAsync } from 'fastify';
import { readBuilt } from './built-file.ts';
import { serveFile, toStaticFile } from './static-file.ts';

// The URL does not change with the content: a correction has to arrive soon.
const CACHE = 'public, max-age=300';

export const sessionScript: FastifyPluginAsync = async (app) => {
  serveFile(app, '/fairline.js', toStaticFile('fairline.js', readBuilt('fairline.js')), { cache: CACHE });
};

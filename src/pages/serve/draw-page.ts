/** The page on which anybody checks a draw in their own browser. */
import type { FastifyPluginAsync } from 'fastify';
import { servePage } from './serve-page.ts';

export const drawPage: FastifyPluginAsync = async (app) => {
  servePage(app, { path: '/draw/:eventId', file: 'draw.html' });
  servePage(app, { path: '/draw/assets/draw.js', file: 'draw.js' });
  servePage(app, { path: '/draw/assets/draw.css', file: 'draw.css' });
};

/**
 * The shop's pages: one file for all of them, which finds out by its address what to show. What is personal comes by the
 * API alone; those pages are not kept by caches all the same, so that nobody sees them after their owner has gone.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Theme } from '../design/theme.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { PAGE_CACHE } from './page-cache.ts';
import { sendFile } from './static-file.ts';

const pages = [
  { path: '/', summary: 'What is on', isPersonal: false },
  { path: '/events/:eventId', summary: 'One event', isPersonal: false },
  { path: '/events/:eventId/seats', summary: 'Choosing seats', isPersonal: true },
  { path: '/events/:eventId/book', summary: 'Choosing standing tickets', isPersonal: true },
  { path: '/checkout/:reservationId', summary: 'Paying for what is held', isPersonal: true },
  { path: '/checkout/transfers/:transferId', summary: 'Paying for what another offers', isPersonal: true },
  { path: '/checkout/memberships/:membershipId', summary: 'Paying for a membership', isPersonal: true },
  { path: '/reservations/:reservationId', summary: 'One’s ticket', isPersonal: true },
  { path: '/sign-in', summary: 'Signing in', isPersonal: true },
  { path: '/membership', summary: 'Becoming a member', isPersonal: true },
  { path: '/me', summary: 'What one has', isPersonal: true },
];

export const shopPages: FastifyPluginAsync<{ theme: Theme }> = async (app, { theme }) => {
  // Posters of events may come from anywhere, as their addresses do.
  const page = loadPage({ name: 'shop', theme, assetsAt: '/assets', inlineStyle: false, imagesFrom: 'https:' });
  serveAssets(app, page);
  for (const { path, summary, isPersonal } of pages) {
    const headers = { cache: isPersonal ? 'no-store' : PAGE_CACHE, policy: page.policy };
    app.get(path, { schema: { tags: ['pages'], summary } }, (request, reply) =>
      sendFile(page.html, headers, request, reply),
    );
  }
};

/**
 * The shop: one HTML file for all its pages; the script picks the page by its path. Personal data comes from the API only.
 * Personal pages are still `no-store`, so that the back button does not show them to the next user of a device.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Theme } from '../design/theme.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { PAGE_CACHE } from './page-cache.ts';
import { sendFile } from './static-file.ts';

const pages = [
  { path: '/', summary: 'Events', isPersonal: false },
  { path: '/events/:eventId', summary: 'One event', isPersonal: false },
  { path: '/events/:eventId/seats', summary: 'Seat selection', isPersonal: true },
  { path: '/events/:eventId/book', summary: 'Standing ticket selection', isPersonal: true },
  { path: '/checkout/:reservationId', summary: 'Checkout of a reservation', isPersonal: true },
  { path: '/checkout/transfers/:transferId', summary: 'Checkout of a transfer', isPersonal: true },
  { path: '/checkout/memberships/:membershipId', summary: 'Checkout of a membership', isPersonal: true },
  { path: '/reservations/:reservationId', summary: 'One reservation and its ticket', isPersonal: true },
  { path: '/sign-in', summary: 'Sign in or register', isPersonal: true },
  { path: '/forgot-password', summary: 'Ask for a link to choose a new password', isPersonal: true },
  { path: '/reset-password', summary: 'Choose a new password by a mailed link', isPersonal: true },
  { path: '/confirm-email', summary: 'Confirm an email by a mailed link', isPersonal: true },
  { path: '/membership', summary: 'Membership', isPersonal: true },
  { path: '/me', summary: 'My tickets', isPersonal: true },
];

export const shopPages: FastifyPluginAsync<{ theme: Theme }> = async (app, { theme }) => {
  // The poster of an event may be on any https site.
  const page = loadPage({ name: 'shop', theme, assetsAt: '/assets', inlineStyle: false, imagesFrom: 'https:' });
  serveAssets(app, page);
  for (const { path, summary, isPersonal } of pages) {
    const headers = { cache: isPersonal ? 'no-store' : PAGE_CACHE, policy: page.policy };
    app.get(path, { schema: { tags: ['pages'], summary } }, (request, reply) =>
      sendFile(page.html, headers, request, reply),
    );
  }
};

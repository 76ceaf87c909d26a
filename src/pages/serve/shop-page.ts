/**
 * The shop: one HTML file for all its pages; the script picks the page by its path. Personal data comes from the API only.
 * Personal pages are still `no-store`, so that the back button does not show them to the next user of a device.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { gateErrors } from '../../gate/decision/refuse.ts';
import type { Guard } from '../../gate/guard.ts';
import { gateHook } from '../../gate/hook.ts';
import type { Theme } from '../design/theme.ts';
import { catalogues } from '../texts/catalogues.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { createPreviews, type EventPreview } from './event-preview.ts';
import { PAGE_CACHE } from './page-cache.ts';
import { pageResponse } from './page-responses.ts';
import { sendFile } from './static-file.ts';

/** Behind the gate: while tier 1 is on for an event, its pages require a vwr token. */
const eventPages = [
  { path: '/events/:eventId', operationId: 'getEventPage', summary: 'One event', isPersonal: false },
  { path: '/events/:eventId/seats', operationId: 'getSeatsPage', summary: 'Seat selection', isPersonal: true },
  {
    path: '/events/:eventId/book',
    operationId: 'getTicketsPage',
    summary: 'Standing ticket selection',
    isPersonal: true,
  },
];

const otherPages = [
  { path: '/', operationId: 'getEventsPage', summary: 'Events', isPersonal: false },
  {
    path: '/checkout/:reservationId',
    operationId: 'getCheckoutPage',
    summary: 'Checkout of a reservation',
    isPersonal: true,
  },
  {
    path: '/checkout/transfers/:transferId',
    operationId: 'getTransferCheckoutPage',
    summary: 'Checkout of a transfer',
    isPersonal: true,
  },
  {
    path: '/checkout/memberships/:membershipId',
    operationId: 'getMembershipCheckoutPage',
    summary: 'Checkout of a membership',
    isPersonal: true,
  },
  {
    path: '/reservations/:reservationId',
    operationId: 'getReservationPage',
    summary: 'One reservation and its ticket',
    isPersonal: true,
  },
  {
    path: '/shared-ticket',
    operationId: 'getSharedTicketPage',
    summary: 'The ticket of one seat by a shared link',
    isPersonal: true,
  },
  {
    path: '/find-ticket',
    operationId: 'getFindTicketPage',
    summary: 'Find tickets by booking code and email',
    isPersonal: true,
  },
  { path: '/sign-in', operationId: 'getSignInPage', summary: 'Sign in or register', isPersonal: true },
  {
    path: '/forgot-password',
    operationId: 'getForgotPasswordPage',
    summary: 'Ask for a link to choose a new password',
    isPersonal: true,
  },
  {
    path: '/reset-password',
    operationId: 'getResetPasswordPage',
    summary: 'Choose a new password by a mailed link',
    isPersonal: true,
  },
  {
    path: '/confirm-email',
    operationId: 'getConfirmEmailPage',
    summary: 'Confirm an email by a mailed link',
    isPersonal: true,
  },
  { path: '/membership', operationId: 'getMembershipPage', summary: 'Membership', isPersonal: true },
  { path: '/me', operationId: 'getMyTicketsPage', summary: 'My tickets', isPersonal: true },
];

/** Not served stale: a visitor who was here yesterday meets the gate too. */
const EVENT_PAGE_CACHE = 'public, max-age=60';

const gatedResponse = {
  ...pageResponse,
  302: Type.Null({ description: 'Where the visitor has to wait, in Location' }),
};

export interface ShopPagesOptions {
  theme: Theme;
  guard: Guard;
  refundUntilHours: number;
  /** Never fails; undefined: nothing to say about the event. */
  findPreview: (eventId: string, request: FastifyRequest) => Promise<EventPreview | undefined>;
}

export const shopPages: FastifyPluginAsync<ShopPagesOptions> = async (app, options) => {
  const { theme, guard, refundUntilHours, findPreview } = options;
  // The poster of an event may be on any https site.
  const page = loadPage({
    ...{ name: 'shop', theme, assetsAt: '/assets', inlineStyle: false, imagesFrom: 'https:' },
    facts: { refundUntilHours },
  });
  // One name for all languages: the page is the same for everyone.
  const toPage = createPreviews(page.html, theme.texts.en['common.brand'] ?? catalogues.en.common.brand);
  const schema = { tags: ['pages'], security: [] };
  serveAssets(app, page);
  serve(app, otherPages, PAGE_CACHE, { ...schema, response: pageResponse });
  app.register(async (scope) => {
    scope.decorateRequest('admitted', undefined).addHook('onRequest', gateHook(guard));
    serve(scope, eventPages, EVENT_PAGE_CACHE, { ...schema, errors: gateErrors, response: gatedResponse });
  });

  function serve(scope: FastifyInstance, pages: typeof otherPages, cache: string, schema: FastifySchema): void {
    for (const { path, operationId, summary, isPersonal } of pages) {
      scope.get(path, { schema: { ...schema, operationId, summary } }, async (request, reply) => {
        // A page that required a token must not reach others from a cache.
        const isShared = !isPersonal && request.admitted === undefined;
        const preview = operationId === 'getEventPage' ? await findPreview(eventIdOf(request), request) : undefined;
        const html = preview === undefined ? page.html : toPage(preview);
        return sendFile(html, { cache: isShared ? cache : 'no-store', policy: page.policy }, request, reply);
      });
    }
  }
};

function eventIdOf({ params }: FastifyRequest): string {
  return (params as { eventId: string }).eventId;
}

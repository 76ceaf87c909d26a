/**
 * The endpoints that pages of CORS_ORIGINS may use: what a shop's front end needs, so the doors of the line, tier 1, the
 * shop and accounts. Nothing that operators use, and nothing that only our own pages need.
 */

const api = [
  '/queue/check/:eventId',
  '/queue/status/:eventId',
  '/queue/heartbeat/:eventId',
  '/queue/leave/:eventId',
  '/queue/leave',
  '/queue/join',
  '/queue/status',
  '/queue/enter',

  '/events',
  '/events/:eventId',
  '/seats/layouts',
  '/seats/events/:eventId',
  '/seats/events/:eventId/changes',
  '/seats/reserve',
  '/reservations',
  '/reservations/my',
  '/reservations/:reservationId',
  '/reservations/:reservationId/cancel',
  '/payments/prepare',
  '/payments/confirm',
  '/payments/:paymentKey/cancel',
  '/payments/order/:orderId',
  '/payments/user/me',
  '/transfers',
  '/transfers/my',
  '/transfers/:transferId',
  '/transfers/:transferId/cancel',
  '/memberships/subscribe',
  '/memberships/offer',
  '/memberships/my',

  '/auth/register',
  '/auth/login',
  '/auth/logout',
  '/auth/me',
];
const tier1 = ['/vwr/assign/:eventId', '/vwr/check/:eventId/:requestId', '/vwr/status/:eventId'];

export const corsUrls: ReadonlySet<string> = new Set([
  ...['/api', '/api/v1'].flatMap((prefix) => api.map((url) => prefix + url)),
  ...['', '/vwr-api'].flatMap((prefix) => tier1.map((url) => prefix + url)),
  '/events/:eventId/tickets/waiting',
  '/api/v1/events/:eventId/tickets/waiting',
]);

/** undefined: no other origin may use them. */
export function toCorsPolicy(origins: readonly string[]) {
  return origins.length === 0 ? undefined : { origins, urls: corsUrls };
}

/** The endpoints that pages of CORS_ORIGINS may use: the doors of the line, and tier 1. Nothing that operators use. */

const line = [
  '/queue/check/:eventId',
  '/queue/status/:eventId',
  '/queue/heartbeat/:eventId',
  '/queue/leave/:eventId',
  '/queue/join',
  '/queue/status',
  '/queue/enter',
];
const tier1 = ['/vwr/assign/:eventId', '/vwr/check/:eventId/:requestId', '/vwr/status/:eventId'];

export const doorUrls: ReadonlySet<string> = new Set([
  ...['/api', '/api/v1'].flatMap((prefix) => line.map((url) => prefix + url)),
  ...['', '/vwr-api'].flatMap((prefix) => tier1.map((url) => prefix + url)),
  '/events/:eventId/tickets/waiting',
  '/api/v1/events/:eventId/tickets/waiting',
]);

/** undefined: no other origin may use them. */
export function toCorsPolicy(origins: readonly string[]) {
  return origins.length === 0 ? undefined : { origins, urls: doorUrls };
}

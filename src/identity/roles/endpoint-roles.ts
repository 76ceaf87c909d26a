/**
 * Which role each operator endpoint needs: the one place that decides. An endpoint that requires an operator and is not in
 * this table refuses everybody.
 */
import type { OperatorRole } from './operator-roles.ts';

/** By method and route, without the prefix /api or /api/v1. */
const table = {
  // Also for a session that only reads: it can be ended, and its own second factor can be changed.
  viewer: [
    'DELETE /admin/session',
    'GET /admin/second-factor',
    'POST /admin/second-factor',
    'POST /admin/second-factor/confirm',
    'POST /admin/second-factor/remove',
    'POST /admin/session/code',

    'GET /admin/audit',
    'GET /admin/audit/chain',
    'GET /admin/bookings/:bookingCode',
    'GET /admin/events',
    'GET /admin/events/:eventId',
    'GET /admin/events/:eventId/sales',
    'GET /admin/overview',
    'GET /admin/rooms',
    'GET /admin/rooms/:eventId',
    'GET /admin/rooms/:eventId/access',
    'GET /admin/rooms/:eventId/draw/sources',
    'GET /admin/rooms/:eventId/scheduled',
    'GET /admin/rooms/:eventId/visitor',
    'GET /admin/vwr/status/:eventId',
    'GET /queue/admin/:eventId',
    'GET /stats/conversion',
    'GET /stats/daily',
    'GET /stats/events',
    'GET /stats/events/:eventId',
    'GET /stats/overview',
    'GET /stats/realtime',
    'GET /stats/revenue',
  ],
  operator: [
    'PUT /admin/rooms/:eventId',
    'POST /admin/rooms/:eventId/scheduled',
    'DELETE /admin/rooms/:eventId/scheduled/:id',
    'POST /admin/rooms/:eventId/extend',
    'PUT /queue/admin/threshold/:eventId',
    'POST /admin/rooms/:eventId/access',
    'DELETE /admin/rooms/:eventId/access/:id',
    'POST /admin/rooms/:eventId/bans',
    'POST /admin/rooms/:eventId/eject',
    'POST /admin/rooms/:eventId/passes',
    'DELETE /admin/rooms/:eventId/passes/:id',
    'POST /admin/vwr/activate/:eventId',
    'POST /admin/vwr/advance/:eventId',
    'POST /admin/vwr/deactivate/:eventId',
    'PUT /admin/events/:eventId',
    'PUT /admin/events/:eventId/poster',
    'DELETE /admin/events/:eventId/poster',
    'PUT /admin/layouts/:layoutId',
    'POST /admin/events/:eventId/open',
    'POST /admin/events/:eventId/seats',
    'POST /rooms/:eventId/health',
    'POST /sessions/release',
    // What gates read is for them alone: it has the secrets of bypasses.
    'GET /gate/access',
    'GET /gate/rooms',
    'POST /gate/access',
    'POST /gate/reports',
    'POST /gate/sessions',
  ],
  admin: [
    'POST /queue/admin/clear/:eventId',
    'POST /admin/events/:eventId/cancel',
    'PUT /admin/accounts/role',
    'POST /admin/accounts/second-factor/reset',
    'GET /admin/operators',
    'PUT /admin/operators/invitations',
    'DELETE /admin/operators/invitations/:email',
    'POST /admin/operators/:id/end-sessions',
    'GET /admin/service-keys',
    'POST /admin/service-keys',
    'DELETE /admin/service-keys/:name',
  ],
} as const satisfies Record<OperatorRole, readonly string[]>;

export const endpointRoles: ReadonlyMap<string, OperatorRole> = new Map(
  Object.entries(table).flatMap(([role, endpoints]) =>
    endpoints.map((endpoint): [string, OperatorRole] => [endpoint, role as OperatorRole]),
  ),
);

/** `route`: as it was registered, with its prefix. undefined: the table does not have it. */
export function findRoleOf(method: string, route: string | undefined): OperatorRole | undefined {
  return endpointRoles.get(toEndpoint(method, route ?? ''));
}

/** The name of an endpoint in the table. */
export function toEndpoint(method: string, route: string): string {
  return `${method === 'HEAD' ? 'GET' : method} ${route.replace(/^\/api(\/v1)?(?=\/)/, '')}`;
}

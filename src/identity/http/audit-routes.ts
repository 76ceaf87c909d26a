/** The endpoint for the latest entries of the audit trail. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../operators.ts';

const MOST_ENTRIES = 200;
const DEFAULT_ENTRIES = 50;

const AuditQuery = Type.Object(
  {
    eventId: Type.Optional(EventParams.properties.eventId),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: `a whole number, 1 to ${MOST_ENTRIES}` }),
    ),
  },
  { additionalProperties: false },
);

const AuditAnswer = Type.Array(
  Type.Object({
    at: Type.String(),
    action: Type.String(),
    eventId: Type.Optional(Type.String()),
    by: Type.Optional(Type.String({ description: 'the operator’s account; token: a request with the operator token' })),
    from: Type.String({ description: 'IP address of the client' }),
    traceId: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
  }),
);

export const auditRoutes: FastifyPluginAsyncTypebox<{ operators: Operators }> = async (app, { operators }) => {
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/audit',
    {
      schema: {
        tags: ['operators: audit'],
        security: [{ operator: [] }],
        summary: 'List the latest entries of the audit trail, newest first',
        querystring: AuditQuery,
        response: { 200: AuditAnswer },
      },
    },
    async (request) => {
      const { eventId, limit } = request.query;
      return operators.trail.readLatest({ eventId, limit: limit === undefined ? DEFAULT_ENTRIES : Number(limit) });
    },
  );
};

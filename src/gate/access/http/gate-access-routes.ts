/** For gates in other processes: the live access list, and the bypasses that they report. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Services } from '../../../identity/services.ts';
import { type BypassKind, bypassKinds } from '../../decision/judge-access.ts';
import type { AccessList } from '../access-list.ts';
import { MOST_NOTES } from '../bypass-counts.ts';
import type { BypassLog } from '../bypass-log.ts';
import { ACCESS_PATH } from '../sync-with-line.ts';

export interface GateAccessRoutesOptions {
  list: AccessList;
  bypasses: Pick<BypassLog, 'note'>;
  services: Services;
}

const Text = Type.String({ minLength: 1, maxLength: 100 });
const Report = Type.Object(
  {
    bypasses: Type.Array(
      Type.Object({
        kind: Type.Unsafe<BypassKind>({ type: 'string', enum: [...bypassKinds] }),
        entry: Text,
        eventId: Type.Optional(Text),
        from: Text,
        requests: Type.Integer({ minimum: 1 }),
      }),
      { maxItems: MOST_NOTES },
    ),
  },
  { additionalProperties: false },
);
const Listing = Type.Object({
  version: Type.String(),
  entries: Type.Array(Type.Object({}, { additionalProperties: true })),
});
/** A note has about 200 bytes. */
const REPORT_LIMIT = 128 * 1024;

export const gateAccessRoutes: FastifyPluginAsyncTypebox<GateAccessRoutesOptions> = async (app, options) => {
  const { list, bypasses, services } = options;
  const schema = { tags: ['gate'], security: [{ service: [] }] };
  app.addHook('onRequest', async (request) => services.require(request));

  app.get(
    ACCESS_PATH,
    {
      schema: {
        ...schema,
        operationId: 'getGateAccess',
        summary: 'The live access list, for gates; 204 if it still has the given version',
        querystring: Type.Object({ version: Type.Optional(Type.String({ maxLength: 64 })) }),
        response: { 200: Listing, 204: Type.Null() },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { version = 'none' } = list;
      if (request.query.version === version) return reply.code(204).send(null);
      // Operators' notes are not for gates.
      return { version, entries: list.entries.map(({ about: _, ...entry }) => entry) };
    },
  );

  app.post(
    ACCESS_PATH,
    {
      bodyLimit: REPORT_LIMIT,
      schema: {
        ...schema,
        operationId: 'reportBypasses',
        summary: 'Report requests that passed a gate without tokens, for the audit trail',
        body: Report,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      for (const { eventId, ...note } of request.body.bypasses) bypasses.note({ ...note, eventId });
      return reply.code(204).send(null);
    },
  );
};

/** The endpoints of the audit trail: its latest entries, and whether its chain holds. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { EventParams } from '../../http/event-params.ts';
import type { ChainReport } from '../audit-chain.ts';
import type { Operators } from '../operators.ts';

export interface AuditRoutesOptions {
  operators: Operators;
  now: () => number;
}

const MOST_ENTRIES = 200;
const DEFAULT_ENTRIES = 50;
/** Checking reads the whole trail, so it is done at most this often. */
const CHECK_EVERY_MS = 30_000;

const AuditQuery = Type.Object(
  {
    eventId: Type.Optional(EventParams.properties.eventId),
    by: Type.Optional(Type.String({ minLength: 1, maxLength: 320, description: 'who did it, as in the entries' })),
    actions: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1_000, description: 'one or more actions, separated by commas' }),
    ),
    since: Type.Optional(Type.String({ format: 'date-time', description: 'entries from this time on' })),
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
    by: Type.Optional(
      Type.String({
        description:
          'the operator’s account, the name of a service key (admin-token: ADMIN_TOKEN), or oidc: and the operator’s ' +
          'email or subject at the identity provider; unknown: a refused attempt; system: Fairline',
      }),
    ),
    from: Type.String({ description: 'IP address of the client' }),
    traceId: Type.String(),
    details: Type.Record(Type.String(), Type.Unknown()),
    seq: Type.Optional(Type.Integer({ description: 'number in the chain, from 1' })),
    hash: Type.Optional(Type.String({ description: 'SHA-256 of the hash before, the number and the entry' })),
  }),
);

const ChainAnswer = Type.Object({
  holds: Type.Boolean(),
  entries: Type.Integer({ description: 'entries that were checked without a problem' }),
  head: Type.Optional(Type.String({ description: 'number:hash of the last entry, to be stored elsewhere' })),
  brokenAt: Type.Optional(Type.Integer({ description: 'number of the first entry that is wrong or missing' })),
  problem: Type.Optional(Type.String()),
  checkedAt: Type.String(),
});

export const auditRoutes: FastifyPluginAsyncTypebox<AuditRoutesOptions> = async (app, { operators, now }) => {
  const schema = { tags: ['operators: audit'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));
  let checked: { at: number; report: Promise<ChainReport> } | undefined;

  app.get(
    '/admin/audit',
    {
      schema: {
        ...schema,
        operationId: 'listAuditEntries',
        summary: 'List the latest entries of the audit trail, newest first',
        querystring: AuditQuery,
        response: { 200: AuditAnswer },
      },
    },
    async (request) => {
      const { eventId, by, actions, since, limit } = request.query;
      return operators.trail.readLatest({
        ...{ eventId, by, actions: actions?.split(','), since },
        limit: limit === undefined ? DEFAULT_ENTRIES : Number(limit),
      });
    },
  );

  app.get(
    '/admin/audit/chain',
    {
      schema: {
        ...schema,
        operationId: 'checkAuditChain',
        summary: 'Check the hash chain of the audit trail; at most every 30 seconds',
        response: { 200: ChainAnswer },
      },
    },
    async () => {
      if (checked === undefined || now() - checked.at >= CHECK_EVERY_MS) {
        checked = { at: now(), report: operators.trail.checkChain() };
        checked.report.catch(() => {
          checked = undefined;
        });
      }
      return toAnswer(await checked.report, checked?.at ?? now());
    },
  );
};

function toAnswer(report: ChainReport, at: number) {
  const { entries } = report;
  const checkedAt = new Date(at).toISOString();
  if (report.outcome === 'broken') {
    return { holds: false, entries, brokenAt: report.at, problem: report.problem, checkedAt };
  }
  const head = report.head && `${report.head.seq}:${report.head.hash}`;
  return { holds: true, entries, checkedAt, ...(head === undefined ? {} : { head }) };
}

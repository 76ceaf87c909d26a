/** Operator endpoints about one visitor: where they stand, extending their session, ejecting and banning them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../http/errors.ts';
import { EventParams } from '../../../http/event-params.ts';
import type { FieldProblem } from '../../../http/field-problem.ts';
import type { Operators } from '../../../identity/operators.ts';
import { placeIdOf, type Standing } from '../../../line/model/standing.ts';
import type { Visits } from '../../../line/store/visits.ts';
import { checkAddresses } from '../../decision/access-entries.ts';
import type { LiveAccess } from '../live-access.ts';
import { EVERYWHERE, type LiveBan } from '../live-entries.ts';
import { AccessAnswer, toAccessAnswer } from './access-answer.ts';
import { Term } from './access-routes.ts';

export interface VisitorRoutesOptions {
  access: LiveAccess;
  visits: Pick<Visits, 'find' | 'leave' | 'stay'>;
  operators: Operators;
  now: () => number;
}

const VisitorId = Type.String({ minLength: 1, maxLength: 128, description: 'a user id, or guest:… for a guest' });
const facts = {
  visitor: Type.String(),
  state: Type.Unsafe<Standing['state']>({
    type: 'string',
    enum: ['absent', 'lobby', 'waiting', 'admitted', 'active'],
  }),
  number: Type.Optional(Type.Integer()),
  position: Type.Optional(Type.Integer()),
  joinedAt: Type.Optional(Type.String()),
  admittedAt: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.String({ description: 'when the session ends unless the visitor is seen again' })),
};
const VisitorFacts = Type.Object(facts, { title: 'VisitorFacts' });
const VisitorAnswer = Type.Object({ ...facts, bans: Type.Array(AccessAnswer) }, { title: 'VisitorStanding' });
const NewBan = Type.Object(
  {
    visitor: Type.Optional(VisitorId),
    account: Type.Optional(Type.String({ maxLength: 254, description: 'the e-mail address of an account here' })),
    addresses: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100 })),
    ...Term,
  },
  { additionalProperties: false },
);
/** Kept for longer than any place that nobody holds could matter. */
const EJECTION_MS = 24 * 3_600_000;

export const visitorRoutes: FastifyPluginAsyncTypebox<VisitorRoutesOptions> = async (app, options) => {
  const { access, operators } = options;
  const schema = { tags: ['operators: access'], security: [{ operator: [] }], params: EventParams };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/rooms/:eventId/visitor',
    {
      schema: {
        ...schema,
        operationId: 'getVisitor',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Where a visitor stands, and the bans that concern them by id',
        querystring: Type.Object({ id: VisitorId }),
        response: { 200: VisitorAnswer },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const { id: visitor } = request.query;
      const standing = await findStanding(eventId, visitor, options);
      const entries = await access.listOf(eventId);
      const bans = entries.filter((entry) => entry.group === 'ban' && entry.visitor === visitor).map(toAccessAnswer);
      return { visitor, ...toFacts(standing), bans };
    },
  );

  app.post(
    '/admin/rooms/:eventId/eject',
    {
      schema: {
        ...schema,
        operationId: 'ejectVisitor',
        errors: ['EVENT_NOT_FOUND', 'ACCESS_LIST_FULL'],
        summary: 'End the place or the session of a visitor, who may join again at the end of the line',
        body: Type.Object({ visitor: VisitorId, about: Term.about }, { additionalProperties: false }),
        response: { 200: Type.Object({ visitor: Type.String(), from: Type.String() }) },
      },
    },
    async (request) => {
      const { visitor, about } = request.body;
      return { visitor, from: await eject(visitor, about, request, options) };
    },
  );

  app.post(
    '/admin/rooms/:eventId/extend',
    {
      schema: {
        ...schema,
        operationId: 'extendSession',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Extend the session of a visitor inside as if they were seen now, within activeMaxTtlMs',
        body: Type.Object({ visitor: VisitorId }, { additionalProperties: false }),
        response: { 200: VisitorFacts },
      },
    },
    async (request) => {
      const { eventId } = request.params;
      const { visitor } = request.body;
      const before = await findStanding(eventId, visitor, options);
      if (before.state !== 'active') return { visitor, ...toFacts(before) };
      // With the token id the store itself is asked, and extends the session now.
      await options.visits.stay(eventId, visitor, before.tokenId);
      const after = await findStanding(eventId, visitor, options);
      await operators.audit(request, { action: 'extend session', eventId, details: { visitor, ...toFacts(after) } });
      return { visitor, ...toFacts(after) };
    },
  );

  app.post(
    '/admin/rooms/:eventId/bans',
    {
      schema: {
        ...schema,
        operationId: 'createBan',
        errors: ['EVENT_NOT_FOUND', 'ACCOUNT_NOT_FOUND', 'ACCESS_LIST_FULL'],
        summary: 'Ban a visitor, an account or addresses from a room or everywhere; ends the place of a visitor',
        body: NewBan,
        response: { 201: AccessAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const { everywhere = false, minutes, about, ...given } = request.body;
      await findStanding(eventId, '', options);
      const whom = await readBan(given, operators);
      const ban: LiveBan = {
        ...access.createFacts(everywhere ? EVERYWHERE : eventId, { minutes, about }),
        group: 'ban',
        ...whom,
      };
      await access.put(ban);
      const answer = toAccessAnswer(ban);
      await operators.audit(request, { action: 'ban', eventId, details: { ...answer, account: given.account } });
      if (whom.visitor !== undefined) await eject(whom.visitor, about, request, options);
      return reply.code(201).send(answer);
    },
  );
};

type EventRequest = FastifyRequest<{ Params: { eventId: string } }>;

/** Returns the state that the visitor was in. First the gates are told, then the place is freed. */
async function eject(
  visitor: string,
  about: string | undefined,
  request: FastifyRequest,
  { access, visits, operators, now }: VisitorRoutesOptions,
): Promise<Standing['state']> {
  const { eventId } = (request as EventRequest).params;
  const standing = await findStanding(eventId, visitor, { visits });
  if (standing.state === 'absent') return 'absent';
  const tokenId = standing.state === 'lobby' ? placeIdOf(standing) : standing.tokenId;
  const facts = access.createFacts(eventId, { about });
  await access.put({ ...facts, group: 'eject', visitor, tokenId, expiresAt: now() + EJECTION_MS });
  await visits.leave(eventId, visitor);
  await operators.audit(request, { action: 'eject', eventId, details: { visitor, from: standing.state, about } });
  return standing.state;
}

async function findStanding(
  eventId: string,
  visitor: string,
  { visits }: Pick<VisitorRoutesOptions, 'visits'> | { visits: Pick<Visits, 'find'> },
): Promise<Standing> {
  const found = await visits.find(eventId, visitor);
  if (found.outcome === 'no-room') throw new AppError('EVENT_NOT_FOUND');
  return found.standing;
}

/** Throws INVALID_INPUT unless exactly one of visitor, account and addresses is right. */
async function readBan(
  { visitor, account, addresses }: { visitor?: string; account?: string; addresses?: string[] },
  { accounts }: Operators,
): Promise<Pick<LiveBan, 'visitor' | 'addresses'>> {
  const fields: FieldProblem[] = [];
  const check = (isRight: boolean, field: string, message: string) => {
    const rule = field.startsWith('addresses') ? { rule: 'address' as const } : {};
    if (!isRight) fields.push({ field, message: `${field} ${message}`, ...rule });
    return isRight;
  };
  const given = [visitor, account, addresses].filter((value) => value !== undefined);
  check(given.length === 1, 'visitor', 'or account or addresses: exactly one is required');
  if (addresses !== undefined) checkAddresses(addresses, 'addresses', check);
  check(account === undefined || accounts !== undefined, 'account', 'needs the shop, which has the accounts');
  if (fields.length > 0) throw new AppError('INVALID_INPUT', { fields });
  if (addresses !== undefined) return { addresses };
  if (account === undefined) return { visitor: visitor! };
  const found = await accounts!.store.find(account);
  if (found === undefined) throw new AppError('ACCOUNT_NOT_FOUND');
  return { visitor: found.userId };
}

function toFacts(standing: Standing) {
  const time = (ms: number) => new Date(ms).toISOString();
  if (standing.state === 'absent') return { state: standing.state };
  const joined = { state: standing.state, joinedAt: time(standing.joinedAt) };
  if (standing.state === 'lobby') return joined;
  if (standing.state === 'waiting') return { ...joined, number: standing.number, position: standing.position };
  const { number, admittedAt, expiresAt } = standing;
  return { ...joined, number, admittedAt: time(admittedAt), expiresAt: time(expiresAt) };
}

/** Operator endpoints: who passes a room without tokens, who never does, and who alone may. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../../http/errors.ts';
import { EventParams } from '../../../http/event-params.ts';
import type { FieldProblem } from '../../../http/field-problem.ts';
import type { Operators } from '../../../identity/operators.ts';
import { toDigest } from '../../../platform/crypto/digest.ts';
import { type AccessEntry, readAccessEntry, type SecretCondition } from '../../decision/access-entries.ts';
import type { LiveAccess } from '../live-access.ts';
import { EVERYWHERE } from '../live-entries.ts';
import { AccessAnswer, toAccessAnswer } from './access-answer.ts';

export interface AccessRoutesOptions {
  access: LiveAccess;
  operators: Operators;
  /** Throws EVENT_NOT_FOUND. */
  requireRoom: (eventId: string) => Promise<void>;
}

/** A year. */
const Minutes = Type.Integer({
  minimum: 1,
  maximum: 525_600,
  description: 'how long it is in force; absent: until removed',
});
export const Term = {
  minutes: Type.Optional(Minutes),
  about: Type.Optional(Type.String({ maxLength: 200, description: 'what it is for' })),
  everywhere: Type.Optional(Type.Boolean({ description: 'in force in all rooms' })),
};
const Secret = Type.Object({ name: Type.String(), secret: Type.String() }, { additionalProperties: false });
const Texts = Type.Array(Type.String({ maxLength: 1_024 }), { maxItems: 1_000 });
const NewEntry = Type.Object(
  {
    effect: Type.String({ description: 'bypass, block or allow-only' }),
    addresses: Type.Optional(Texts),
    header: Type.Optional(Secret),
    cookie: Type.Optional(Secret),
    methods: Type.Optional(Texts),
    paths: Type.Optional(Texts),
    crawler: Type.Optional(Texts),
    ...Term,
  },
  { additionalProperties: false },
);
export const EntryParams = Type.Object({
  ...EventParams.properties,
  id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
});
const BODY_LIMIT = 64 * 1024;

export const accessRoutes: FastifyPluginAsyncTypebox<AccessRoutesOptions> = async (app, options) => {
  const { access, operators, requireRoom } = options;
  const schema = { tags: ['operators: access'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/rooms/:eventId/access',
    {
      schema: {
        ...schema,
        operationId: 'listAccessEntries',
        errors: ['EVENT_NOT_FOUND'],
        summary: 'Access entries, bans, ejections and staff passes of a room',
        params: EventParams,
        response: { 200: Type.Array(AccessAnswer) },
      },
    },
    async (request) => {
      await requireRoom(request.params.eventId);
      const entries = await access.listOf(request.params.eventId);
      const opened = new Set(entries.flatMap((entry) => (entry.group === 'pass' ? [entry.id] : [])));
      return entries.filter(({ group, id }) => group !== 'link' || !opened.has(id)).map(toAccessAnswer);
    },
  );

  app.post(
    '/admin/rooms/:eventId/access',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        ...schema,
        operationId: 'createAccessEntry',
        errors: ['EVENT_NOT_FOUND', 'ACCESS_LIST_FULL'],
        summary: 'Add an access entry: bypass, block or allow-only',
        params: EventParams,
        body: NewEntry,
        response: { 201: AccessAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      await requireRoom(eventId);
      const { minutes, about, everywhere = false, ...given } = request.body;
      const read = readNewEntry(given, everywhere ? undefined : eventId);
      const { id: _, events: _events, ...entry } = withHashes(read);
      const live = {
        ...access.createFacts(everywhere ? EVERYWHERE : eventId, { minutes, about }),
        group: 'rule' as const,
        entry,
      };
      await access.put(live);
      const answer = toAccessAnswer(live);
      await operators.audit(request, { action: 'add access entry', eventId, details: { ...answer } });
      return reply.code(201).send(answer);
    },
  );

  app.delete(
    '/admin/rooms/:eventId/access/:id',
    {
      schema: {
        ...schema,
        operationId: 'deleteAccessEntry',
        errors: ['ACCESS_ENTRY_NOT_FOUND'],
        summary: 'Remove an access entry or lift a ban',
        params: EntryParams,
        response: { 200: AccessAnswer },
      },
    },
    async (request) => {
      const { eventId, id } = request.params;
      const entry = (await access.listOf(eventId)).find((one) => one.id === id && isRemovable(one.group));
      if (entry === undefined || !(await access.remove(entry))) throw new AppError('ACCESS_ENTRY_NOT_FOUND');
      const answer = toAccessAnswer(entry);
      const action = entry.group === 'ban' ? 'lift ban' : 'remove access entry';
      await operators.audit(request, { action, eventId, details: { ...answer } });
      return answer;
    },
  );
};

/** Ejections end by themselves: removing one would make an old token valid again. Passes are revoked instead. */
function isRemovable(group: string): boolean {
  return group === 'rule' || group === 'ban';
}

/** Throws INVALID_INPUT with the fields that are wrong. */
function readNewEntry(given: Record<string, unknown>, eventId: string | undefined): AccessEntry {
  const fields: FieldProblem[] = [];
  const check = (isRight: boolean, field: string, message: string) => {
    const rule = field.startsWith('addresses') ? { rule: 'address' as const } : {};
    if (!isRight) fields.push({ field, message: `${field} ${message}`, ...rule });
    return isRight;
  };
  const entry = readAccessEntry({ ...given, ...(eventId === undefined ? {} : { events: [eventId] }) }, '', check);
  if (fields.length > 0 || entry === undefined) throw new AppError('INVALID_INPUT', { fields });
  return entry;
}

/** Secrets are kept as hashes. */
function withHashes(entry: AccessEntry): AccessEntry {
  const hash = ({ name, secret }: SecretCondition) => ({
    name,
    secret: { hash: toDigest('text' in secret ? secret.text : '') },
  });
  return {
    ...entry,
    ...(entry.header && { header: hash(entry.header) }),
    ...(entry.cookie && { cookie: hash(entry.cookie) }),
  };
}

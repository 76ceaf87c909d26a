/** Endpoints for service keys: create, list, revoke. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import type { Operators } from '../operators.ts';
import { KEY_NAME_PATTERN } from '../service-keys/service-key.ts';
import type { ListedKey } from '../service-keys/service-keys.ts';
import { RoleField } from './operator-session-answer.ts';

export interface ServiceKeyRoutesOptions {
  operators: Operators;
  now: () => number;
}

const LONGEST_DAYS = 3_650;
const DAY_MS = 86_400_000;

const Name = Type.String({ pattern: KEY_NAME_PATTERN, description: '1 to 40 lower-case letters, digits or -' });
const KeyFields = {
  name: Type.String(),
  role: RoleField,
  createdAt: Type.Optional(Type.String({ description: 'absent: ADMIN_TOKEN, which is a setting' })),
  createdBy: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Type.String({ description: 'absent: the key does not expire' })),
  expired: Type.Boolean(),
  lastUsedAt: Type.Optional(Type.String({ description: 'to the minute; absent: the key was not used' })),
  lastUsedFrom: Type.Optional(Type.String({ description: 'IP address' })),
};
const KeyAnswer = Type.Object(KeyFields, { title: 'ServiceKey' });
const CreatedAnswer = Type.Object({
  ...KeyFields,
  token: Type.String({ description: 'the key itself, to send as a bearer token; shown this once' }),
});
const CreateBody = Type.Object(
  {
    name: Name,
    role: RoleField,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LONGEST_DAYS, description: 'how long it is valid; absent: for good' }),
    ),
  },
  { additionalProperties: false },
);

export const serviceKeyRoutes: FastifyPluginAsyncTypebox<ServiceKeyRoutesOptions> = async (app, { operators, now }) => {
  const { keys } = operators;
  const schema = { tags: ['operators: service keys'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.get(
    '/admin/service-keys',
    {
      schema: {
        ...schema,
        operationId: 'listServiceKeys',
        summary: 'All service keys and their last use',
        response: { 200: Type.Array(KeyAnswer) },
      },
    },
    async () => (await keys.list()).map((key) => toAnswer(key, now())),
  );

  app.post(
    '/admin/service-keys',
    {
      schema: {
        ...schema,
        operationId: 'createServiceKey',
        errors: ['SERVICE_KEY_EXISTS', 'OPERATOR_LIST_FULL'],
        summary: 'Create a service key; the response has the key itself, this once',
        body: CreateBody,
        response: { 201: CreatedAnswer },
      },
    },
    async (request, reply) => {
      const { name, role, days } = request.body;
      const expiresAt = days === undefined ? undefined : now() + days * DAY_MS;
      const { name: createdBy } = operators.callerOf(request);
      const created = await keys.create({ name, role, expiresAt, createdBy });
      if (created.outcome === 'exists') throw new AppError('SERVICE_KEY_EXISTS');
      if (created.outcome === 'full') throw new AppError('OPERATOR_LIST_FULL');
      const answer = toAnswer(created.key, now());
      await operators.audit(request, {
        action: 'create service key',
        details: { name, role, ...(answer.expiresAt && { expiresAt: answer.expiresAt }) },
      });
      return reply.code(201).send({ ...answer, token: created.token });
    },
  );

  app.delete(
    '/admin/service-keys/:name',
    {
      schema: {
        ...schema,
        operationId: 'revokeServiceKey',
        errors: ['SERVICE_KEY_NOT_FOUND'],
        summary: 'Revoke a service key; it is refused within two seconds everywhere',
        params: Type.Object({ name: Name }),
        response: { 200: Type.Object({ name: Type.String(), revoked: Type.Boolean() }) },
      },
    },
    async (request) => {
      const { name } = request.params;
      if (!(await keys.revoke(name))) throw new AppError('SERVICE_KEY_NOT_FOUND');
      await operators.audit(request, { action: 'revoke service key', details: { name } });
      return { name, revoked: true };
    },
  );
};

function toAnswer({ name, role, created, expiresAt, lastUse }: ListedKey, now: number) {
  const toText = (at: number) => new Date(at).toISOString();
  return {
    ...{ name, role, expired: expiresAt !== undefined && expiresAt <= now },
    ...(created && { createdAt: toText(created.at), createdBy: created.by }),
    ...(expiresAt === undefined ? {} : { expiresAt: toText(expiresAt) }),
    ...(lastUse && { lastUsedAt: toText(lastUse.at), lastUsedFrom: lastUse.from }),
  };
}

/** Staff passes: operators create and revoke links; the device that opens a link first gets the pass in a cookie. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../../http/errors.ts';
import { EventParams } from '../../../http/event-params.ts';
import type { Operators } from '../../../identity/operators.ts';
import type { Caller } from '../../../platform/http-server/callers.ts';
import { readCookie, setCookie } from '../../../platform/http-server/cookies.ts';
import { PASS_COOKIE, type StaffPass } from '../../decision/staff-pass.ts';
import type { LiveAccess } from '../live-access.ts';
import type { LivePass } from '../live-entries.ts';
import { MOST_PASS_MINUTES, type StaffLinks, type StaffPasses, toLinkPath } from '../staff-passes.ts';
import { EntryParams } from './access-routes.ts';

export interface PassRoutesOptions {
  access: LiveAccess;
  links: StaffLinks;
  passes: StaffPasses;
  operators: Operators;
  requireRoom: (eventId: string) => Promise<void>;
  /** Where the holder of a pass goes. */
  findTarget: (eventId: string) => Promise<string | null>;
  isSecure: (caller: Pick<Caller, 'protocol'>) => boolean;
  now: () => number;
}

const OPEN_LIMIT = 4 * 1024;
const NewPass = Type.Object(
  {
    minutes: Type.Integer({ minimum: 1, maximum: MOST_PASS_MINUTES }),
    name: Type.String({ minLength: 1, maxLength: 60, description: 'whose it is' }),
  },
  { additionalProperties: false },
);
const PassAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    events: Type.Array(Type.String()),
    expiresAt: Type.String(),
  },
  { title: 'StaffPass' },
);
const LinkAnswer = Type.Object(
  {
    ...PassAnswer.properties,
    path: Type.String({ description: 'open it once, on the device that is to have the pass' }),
  },
  { title: 'StaffLink' },
);

const OpenedAnswer = Type.Object({
  ...PassAnswer.properties,
  target: Type.Union([Type.String(), Type.Null()], { description: 'the page to go to; null if there is none' }),
});

/** The endpoint that the page of a link calls. */
export const passRoutes: FastifyPluginAsyncTypebox<PassRoutesOptions> = async (app, options) => {
  const { access, links, passes, operators, findTarget, isSecure, now } = options;

  app.post(
    '/queue/pass/:eventId',
    {
      bodyLimit: OPEN_LIMIT,
      schema: {
        tags: ['gate'],
        operationId: 'openStaffLink',
        security: [],
        errors: ['PASS_INVALID', 'PASS_USED', 'ACCESS_LIST_FULL'],
        summary: 'Open a staff link: binds it to this device and sets the cookie fairline-pass',
        params: EventParams,
        body: Type.Object({ link: Type.String({ maxLength: 2_048 }) }, { additionalProperties: false }),
        response: { 200: OpenedAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const pass = links.verify(request.body.link);
      // Without the tolerance of tokens: the entry that binds the link ends with its time.
      const isInTime = pass !== undefined && now() < pass.expiresAt;
      if (!isInTime || !pass.events.includes(eventId)) throw new AppError('PASS_INVALID');
      if (await access.isRevoked(pass.id)) throw new AppError('PASS_INVALID');
      const held = readCookie(request.headers.cookie, PASS_COOKIE);
      const isHolder = held !== undefined && passes.verify(held)?.id === pass.id;
      const outcome = await access.put(toEntry(pass, now(), false), { onlyNew: true });
      // The device that holds the pass may open its link again.
      if (outcome === 'exists' && !isHolder) throw new AppError('PASS_USED');
      if (outcome === 'stored') {
        const details = { pass: pass.id, name: pass.name, events: pass.events };
        await operators.audit(request, { action: 'open staff pass', by: 'unknown', eventId, details });
      }
      const maxAgeSeconds = Math.max(0, Math.floor((pass.expiresAt - now()) / 1000));
      setCookie(reply, PASS_COOKIE, passes.sign(pass), { maxAgeSeconds, secure: isSecure(request) });
      reply.header('cache-control', 'no-store');
      return { ...toAnswer(pass), target: await findTarget(eventId) };
    },
  );
};

export const passAdminRoutes: FastifyPluginAsyncTypebox<PassRoutesOptions> = async (app, options) => {
  const { access, links, operators, requireRoom, now } = options;
  const schema = { tags: ['operators: access'], security: [{ operator: [] }] };
  app.addHook('onRequest', async (request) => operators.require(request));

  app.post(
    '/admin/rooms/:eventId/passes',
    {
      schema: {
        ...schema,
        operationId: 'createStaffLink',
        errors: ['EVENT_NOT_FOUND', 'ACCESS_LIST_FULL'],
        summary: 'Create a staff link: the device that opens it first passes the room without waiting',
        params: EventParams,
        body: NewPass,
        response: { 201: LinkAnswer },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      await requireRoom(eventId);
      const { pass, link } = links.create({ ...request.body, events: [eventId] });
      const { isRevoked: _, ...entry } = toEntry(pass, now(), false);
      await access.put({ ...entry, group: 'link' });
      const answer = toAnswer(pass);
      await operators.audit(request, { action: 'create staff pass', eventId, details: { ...answer } });
      reply.header('cache-control', 'no-store');
      return reply.code(201).send({ ...answer, path: toLinkPath(eventId, link) });
    },
  );

  app.delete(
    '/admin/rooms/:eventId/passes/:id',
    {
      schema: {
        ...schema,
        operationId: 'revokeStaffPass',
        errors: ['EVENT_NOT_FOUND', 'ACCESS_LIST_FULL'],
        summary: 'Revoke a staff pass, also one whose link was not opened yet',
        params: EntryParams,
        response: { 200: Type.Object({ id: Type.String(), isRevoked: Type.Literal(true) }) },
      },
    },
    async (request) => {
      const { eventId, id } = request.params;
      await requireRoom(eventId);
      const known = (await access.listOf(eventId)).find(
        (entry): entry is Extract<typeof entry, { group: 'pass' | 'link' }> =>
          (entry.group === 'pass' || entry.group === 'link') && entry.id === id,
      );
      // A link of the command line is not known before it is opened. Its life ends no later than this.
      const latest = { id, events: [eventId], name: '', expiresAt: now() + MOST_PASS_MINUTES * 60_000 };
      const { events, name, expiresAt } = known ?? latest;
      const pass = { id, events, name, expiresAt: expiresAt ?? latest.expiresAt };
      await access.put(toEntry(pass, now(), true));
      await operators.audit(request, { action: 'revoke staff pass', eventId, details: { pass: id, name } });
      return { id, isRevoked: true as const };
    },
  );
};

/** One key per pass, whichever of its events it was opened at. */
function toEntry(pass: StaffPass, createdAt: number, isRevoked: boolean): LivePass {
  const { id, events, name, expiresAt } = pass;
  return { group: 'pass', id, eventId: events[0]!, events, name, createdAt, expiresAt, isRevoked };
}

function toAnswer({ id, name, events, expiresAt }: StaffPass) {
  return { id, name, events: [...events], expiresAt: new Date(expiresAt).toISOString() };
}

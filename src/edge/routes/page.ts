/**
 * The page `/vwr/{eventId}`: one file for every event, which any cache may hold. Without JavaScript its form posts to the
 * same address, and the visitor waits on a page that reloads itself (`?plain=1`).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { EventParams } from '../../line/routes/event-params.ts';
import { readCookie } from '../../platform/cookies.ts';
import { languageOf, PLAIN_STYLE, type PlainView, toPlainPage } from '../page/plain-page.ts';
import { loadStaticPage, type StaticFile, toPolicy } from '../page/static-page.ts';
import { placeCookie } from '../places.ts';
import { type EdgeDoorOptions, givePass, givePlace, takeTicket } from './callers.ts';

const PAGE_CACHE = 'public, max-age=3600, stale-while-revalidate=86400';
const SCRIPT_CACHE = 'public, max-age=31536000, immutable';

export const pageDoor: FastifyPluginAsyncTypebox<EdgeDoorOptions> = async (app, options) => {
  const { room, devices } = options;
  const { html, script, policy } = loadStaticPage();
  const plainPolicy = toPolicy(PLAIN_STYLE);
  const schema = { tags: ['before the site'], params: EventParams };
  // What the form sends is nothing, in the way forms send it.
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
    payload.resume();
    done(null, undefined);
  });

  app.get('/vwr/assets/vwr.js', { schema: { hide: true } }, (request, reply) =>
    sendFile(script, SCRIPT_CACHE, request, reply),
  );

  app.get(
    '/vwr/:eventId',
    {
      schema: {
        ...schema,
        summary: 'The page on which one waits; plain: without JavaScript',
        querystring: Type.Object({ plain: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      if (request.query.plain !== undefined) return wait(request.params.eventId, request, reply);
      reply.header('content-security-policy', policy);
      return sendFile(html, PAGE_CACHE, request, reply);
    },
  );

  app.post(
    '/vwr/:eventId',
    { schema: { ...schema, summary: 'Take a number and wait, without JavaScript' } },
    async (request, reply) => {
      const { eventId } = request.params;
      try {
        const { requestId } = await takeTicket(eventId, undefined, request, reply, options);
        givePlace(requestId, eventId, request, reply, options);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'VWR_NOT_ACTIVE') return reply.redirect(`/queue/${eventId}`, 303);
        if (error.retryAfterSeconds === undefined) throw error;
        return sendPlain({ retrySeconds: error.retryAfterSeconds }, request, reply.code(error.status));
      }
      return reply.redirect(`/vwr/${eventId}?plain=1`, 303);
    },
  );

  /** Whoever has no place here is asked to take one, on the page itself. */
  async function wait(eventId: string, request: FastifyRequest, reply: FastifyReply) {
    const counters = await room.find(eventId);
    const requestId = readCookie(request.headers.cookie, placeCookie(eventId));
    const place = counters && room.recognise(requestId, devices.find(request.headers.cookie), counters);
    if (counters === undefined || place === undefined) return reply.redirect(`/vwr/${eventId}`, 303);
    const turn = room.turnOf(place, counters);
    if (turn.token === undefined) return sendPlain({ turn }, request, reply);
    givePass(turn.token, request, reply, options);
    return reply.redirect(`/queue/${eventId}`, 303);
  }

  function sendPlain(view: PlainView, request: FastifyRequest, reply: FastifyReply) {
    const language = languageOf(request.headers['accept-language']);
    reply.header('content-security-policy', plainPolicy);
    return reply.type('text/html; charset=utf-8').send(toPlainPage(view, language));
  }
};

function sendFile(file: StaticFile, cache: string, request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', cache).header('etag', file.etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return takesGzip ? reply.header('content-encoding', 'gzip').send(file.gzipped) : reply.send(file.body);
}

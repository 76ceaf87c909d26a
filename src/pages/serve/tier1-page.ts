/**
 * The page `/vwr/{eventId}`: one file for all events, cacheable anywhere. Without JavaScript its form posts to the same
 * path, and the visitor waits on a page that reloads itself (`?plain=1`).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { toWantedPage, withWantedPage } from '../../http/wanted-page.ts';
import { WantedQuery } from '../../http/wanted-query.ts';
import { readCookie } from '../../platform/http-server/cookies.ts';
import { setPlaceCookie, setTokenCookie, type Tier1RouteOptions, takePlace } from '../../tier1/http/take-place.ts';
import { placeCookie } from '../../tier1/tokens/signed-places.ts';
import type { Turn } from '../../tier1/waiting-room.ts';
import type { Theme } from '../design/theme.ts';
import { type Tier1Place, type Tier1Saying, toTier1View } from '../waiting/tier1/tier1-view.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { acceptForms, acceptsHtml, PAGE_CACHE } from './page-cache.ts';
import { plainPageResponse } from './page-responses.ts';
import { toPlainHtml } from './plain-page.ts';
import { sendFile } from './static-file.ts';
import { textFiles, textsFor } from './visitor-texts.ts';

export interface Tier1PageOptions extends Tier1RouteOptions {
  theme: Theme;
}

type PlainView = { turn: Turn } | { retrySeconds: number; isUnproven: boolean };

/** Reloads less often than the script polls: each reload is a whole page. */
const RELOAD_FACTOR = 2;

export const tier1Page: FastifyPluginAsyncTypebox<Tier1PageOptions> = async (app, options) => {
  const { room, devices, theme } = options;
  const page = loadPage({
    ...{ name: 'vwr', theme, assetsAt: '/vwr/assets', inlineStyle: true },
    scripts: ['proof.js', 'find-proof.js', ...textFiles],
  });
  const schema = { tags: ['pages'], params: EventParams, response: plainPageResponse };
  acceptForms(app);
  serveAssets(app, page);

  app.get(
    '/vwr/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getNumberPage',
        security: [{ device: [] }, {}],
        errors: ['STORE_UNAVAILABLE'],
        summary: 'The waiting page; with `plain`, without JavaScript',
        querystring: Type.Object({ plain: Type.Optional(Type.String()), ...WantedQuery.properties }),
      },
    },
    async (request, reply) => {
      if (request.query.plain !== undefined) return wait(request.params.eventId, request.query.to, request, reply);
      return sendFile(page.html, { cache: PAGE_CACHE, policy: page.policy }, request, reply);
    },
  );

  app.post(
    '/vwr/:eventId',
    {
      schema: {
        ...schema,
        querystring: WantedQuery,
        operationId: 'postNumberPage',
        security: [{ device: [] }, {}],
        errors: ['VWR_SWITCHING', 'PROOF_OF_WORK_REQUIRED', 'STORE_UNAVAILABLE'],
        summary: 'Take a number and wait, without JavaScript',
      },
      errorHandler: showPage,
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const wanted = toWantedPage(request.query.to);
      try {
        const { requestId } = await takePlace(eventId, undefined, request, reply, options);
        setPlaceCookie(requestId, eventId, request, reply, options);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'VWR_NOT_ACTIVE') return reply.redirect(withWantedPage(`/queue/${eventId}`, wanted), 303);
        if (error.retryAfterSeconds === undefined) throw error;
        const isUnproven = error.code === 'PROOF_OF_WORK_REQUIRED';
        return sendPlain(
          { retrySeconds: error.retryAfterSeconds, isUnproven },
          request,
          reply.code(error.status as 200),
        );
      }
      return reply.redirect(withWantedPage(`/vwr/${eventId}?plain=1`, wanted), 303);
    },
  );

  /** A form of another site takes no number. Its visitor gets our page, which does so itself. */
  function showPage(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
    const isRefused = error instanceof AppError && error.code === 'CROSS_SITE';
    if (!isRefused || !acceptsHtml(request)) return app.errorHandler(error, request, reply);
    return sendFile(page.html, { cache: 'no-store', policy: page.policy }, request, reply.code(error.status));
  }

  /** Visitors without a place are redirected to the page that assigns one. */
  async function wait(eventId: string, to: unknown, request: FastifyRequest, reply: FastifyReply) {
    const wanted = toWantedPage(to);
    const counters = await room.find(eventId);
    const requestId = readCookie(request.headers.cookie, placeCookie(eventId));
    const place = counters && room.recognise(requestId, devices.find(request.headers.cookie), counters);
    if (counters === undefined || place === undefined) {
      return reply.redirect(withWantedPage(`/vwr/${eventId}`, wanted), 303);
    }
    const turn = room.turnOf(place, counters);
    // The reload of the page is a request of our own, and gets the token.
    if (turn.token === undefined || request.isCrossSite) return sendPlain({ turn }, request, reply);
    setTokenCookie(turn.token, request, reply, options);
    return reply.redirect(withWantedPage(`/queue/${eventId}`, wanted), 303);
  }

  function sendPlain(view: PlainView, request: FastifyRequest, reply: FastifyReply) {
    const { eventId } = request.params as { eventId: string };
    const { language, common, waiting, tier1, questions } = textsFor(request.headers, theme);
    const plain = { ...tier1, waiting: tier1.plainStay };
    const words = { common, waiting, language, tier1: plain, now: Date.now(), zone: 'said' as const };
    const place = 'turn' in view ? toTier1Place(view.turn) : undefined;
    const saying: Tier1Saying =
      'turn' in view ? { text: 'waiting' } : { busySeconds: view.retrySeconds, isUnproven: view.isUnproven };
    const html = toPlainHtml({
      view: toTier1View({ eventId, place, saying }, words),
      language,
      brand: common.brand,
      logo: theme.logo,
      organiser: theme.organiser,
      style: page.style,
      forms: [],
      questions,
      reloadSeconds: 'turn' in view ? view.turn.nextPoll * RELOAD_FACTOR : view.retrySeconds,
    });
    reply.header('content-security-policy', page.policy);
    return reply.type('text/html; charset=utf-8').send(html);
  }
};

function toTier1Place({ position, servingCounter, estimatedWait }: Turn): Tier1Place {
  const ahead = position - servingCounter;
  const perSecond = ahead > 0 && estimatedWait > 0 ? ahead / estimatedWait : 0;
  return { position, serving: servingCounter, from: servingCounter, perSecond };
}

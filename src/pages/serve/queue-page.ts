/**
 * The page `/queue/{eventId}`: one file for all events, cacheable anywhere. Without JavaScript it redirects to
 * `?plain=1`, which the server renders for the visitor; that page reloads itself and its forms post to the same path.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import { toWantedPage, withWantedPage } from '../../http/wanted-page.ts';
import { WantedQuery } from '../../http/wanted-query.ts';
import { type Doorway, excludedErrors, joinErrors, visitorErrors } from '../../line/http/doorway.ts';
import { toPollAnswer } from '../../line/http/poll-answer.ts';
import type { Crowd, Standing } from '../../line/model/standing.ts';
import type { FindTarget } from '../../line/model/target.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Theme } from '../design/theme.ts';
import { type Known, type Mode, toView } from '../waiting/line/line-view.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { acceptForms, acceptsHtml, PAGE_CACHE } from './page-cache.ts';
import { plainPageResponse } from './page-responses.ts';
import { type PlainForm, toPlainHtml } from './plain-page.ts';
import { sendFile } from './static-file.ts';
import { textFiles, textsFor } from './visitor-texts.ts';

export interface QueuePageOptions {
  doorway: Doorway;
  tickMs: number;
  clock: Clock;
  theme: Theme;
  findTarget: FindTarget;
}

/** Reloads less often than the script polls: each reload is a whole page. */
const RELOAD_FACTOR = 2;
const MIN_RELOAD_SECONDS = 3;

const MODES_OF_ERRORS: Readonly<Record<string, Mode>> = {
  ROOM_CLOSED: 'closed',
  EVENT_NOT_FOUND: 'no-event',
  UNAUTHENTICATED: 'sign-in',
  INVALID_TOKEN: 'sign-in',
  ACCOUNT_REQUIRED: 'sign-in',
  CONFIRMED_ACCOUNT_REQUIRED: 'confirm',
  BANNED: 'banned',
  NOT_ALLOWED: 'not-allowed',
};

type PlainRequest = FastifyRequest<{ Params: { eventId: string }; Querystring: { to?: unknown } }>;

const PlainAction = Type.Union([Type.Literal('join'), Type.Literal('enter'), Type.Literal('leave')]);

export const queuePage: FastifyPluginAsyncTypebox<QueuePageOptions> = async (app, options) => {
  const { doorway, theme, findTarget, tickMs, clock } = options;
  const page = loadPage({
    ...{ name: 'queue', theme, assetsAt: '/queue/assets', inlineStyle: true },
    scripts: ['proof.js', 'find-proof.js', ...textFiles],
  });
  const schema = { tags: ['pages'], params: EventParams, response: plainPageResponse };
  acceptForms(app);
  serveAssets(app, page);

  app.get(
    '/queue/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'getWaitingPage',
        security: [{ visitor: [] }, {}],
        errors: ['INVALID_TOKEN', ...excludedErrors, 'EVENT_NOT_FOUND', 'STORE_UNAVAILABLE'],
        summary: 'The waiting page; with `plain`, without JavaScript',
        querystring: Type.Object({
          plain: Type.Optional(Type.String()),
          left: Type.Optional(Type.String()),
          ...WantedQuery.properties,
        }),
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      if (request.query.plain === undefined) {
        return sendFile(page.html, { cache: PAGE_CACHE, policy: page.policy }, request, reply);
      }
      const lost = findLostWanted(request);
      if (lost !== undefined) return reply.redirect(withWantedPage(`/queue/${eventId}?plain=1`, lost), 303);
      const absence: Mode = request.query.left === undefined ? 'joining' : 'left';
      return respondPlainly(request, reply, async () => {
        const visitor = doorway.findVisitor(request, reply);
        doorway.refuseExcluded(eventId, visitor?.id, request, 'stay');
        const outcome = await (request.isCrossSite
          ? doorway.peek(eventId, visitor)
          : doorway.look(eventId, visitor, request));
        if (outcome.outcome === 'no-room') throw new AppError('EVENT_NOT_FOUND');
        const { standing, crowd } = outcome;
        if (visitor !== undefined && doorway.issueEntryToken(eventId, visitor.id, standing, request, reply)) {
          const target = findTarget({ eventId, settings: crowd.settings, to: request.query.to });
          return target === null ? { eventId, mode: 'in' } : { goTo: target };
        }
        const isRemoved = visitor !== undefined && doorway.wasEjected(eventId, visitor.id);
        return toKnown(eventId, outcome, isRemoved ? 'removed' : absence);
      });
    },
  );

  app.post(
    '/queue/:eventId',
    {
      schema: {
        ...schema,
        operationId: 'postWaitingPage',
        security: [{ visitor: [] }, {}],
        errors: [...visitorErrors, ...joinErrors, 'STORE_UNAVAILABLE'],
        summary: 'Join, enter or leave without JavaScript',
        querystring: Type.Object({ do: PlainAction, ...WantedQuery.properties }),
      },
      errorHandler: showJoinButton,
    },
    (request, reply) =>
      respondPlainly(request, reply, async () => {
        const { eventId } = request.params;
        const wanted = toWantedPage(request.query.to);
        if (request.query.do === 'leave') {
          await doorway.leave(eventId, request, reply);
          return { goTo: withWantedPage(`/queue/${eventId}?plain=1&left=1`, wanted) };
        }
        await doorway.join(eventId, request, reply, { enter: request.query.do === 'enter', wanted });
        return { goTo: withWantedPage(`/queue/${eventId}?plain=1`, wanted) };
      }),
  );

  /** A form of another site does nothing here. Its visitor gets our page, where the button makes the request our own. */
  function showJoinButton(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
    const isRefused = error instanceof AppError && error.code === 'CROSS_SITE';
    if (!isRefused || !acceptsHtml(request)) return app.errorHandler(error, request, reply);
    const { eventId } = request.params as { eventId: string };
    return sendPlain({ eventId, mode: 'joining' }, request as PlainRequest, reply.code(error.status));
  }

  function toKnown(eventId: string, { standing, crowd }: { standing: Standing; crowd: Crowd }, absence: Mode): Known {
    const answer = toPollAnswer({
      ...{ eventId, standing, crowd, tickMs, now: clock.now() },
      ...{ entryToken: undefined, target: null },
    });
    if (standing.state === 'absent') {
      return { eventId, mode: crowd.phase === 'closed' ? 'closed' : absence, room: answer.eventInfo };
    }
    return { eventId, mode: answer.readyForEntry ? 'ready' : 'waiting', place: answer, room: answer.eventInfo };
  }

  /** Shows known errors on the page. */
  async function respondPlainly(
    request: PlainRequest,
    reply: FastifyReply,
    work: () => Promise<Known | { goTo: string }>,
  ): Promise<FastifyReply> {
    try {
      const done = await work();
      return 'goTo' in done ? reply.redirect(done.goTo, 303) : sendPlain(done, request, reply);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { eventId } = request.params;
      const mode = MODES_OF_ERRORS[error.code];
      const page = error.redirectTo;
      if (mode === undefined && page !== undefined) return reply.redirect(page, 303);
      reply.code(error.status);
      if (mode !== undefined) return sendPlain({ eventId, mode, ...(page && { page }) }, request, reply);
      if (error.retryAfterSeconds === undefined) throw error;
      const kind = error.body !== undefined && 'challenge' in error.body ? 'unproven' : 'busy';
      const trouble = { kind, seconds: error.retryAfterSeconds } as const;
      return sendPlain({ eventId, mode: 'joining', trouble }, request, reply);
    }
  }

  function sendPlain(known: Known, request: PlainRequest, reply: FastifyReply): FastifyReply {
    const { eventId } = request.params;
    const { language, common, waiting, questions } = textsFor(request.headers, theme);
    const texts = { ...common, ...waiting, turnComes: waiting.plainStay, joining: waiting.plainJoin };
    const origin = `${request.protocol}://${request.host}`;
    const view = toView(known, { texts, language, now: clock.now(), zone: 'said', origin });
    const actions = (what: PlainVerb) => withWantedPage(`/queue/${eventId}?do=${what}`, toWantedPage(request.query.to));
    const forms = formsOf(known.mode, actions, { ...waiting, join: view.joinLabel });
    const html = toPlainHtml({
      view,
      language,
      brand: common.brand,
      logo: theme.logo,
      organiser: theme.organiser,
      style: page.style,
      forms,
      questions,
      reloadSeconds: reloadSecondsOf(known),
    });
    reply.header('content-security-policy', page.policy);
    return reply.type('text/html; charset=utf-8').send(html);
  }
};

/**
 * The wanted page of a visitor who comes from the static page. That page is one file for all, so it cannot put `to` into
 * its redirect; but the browser says from which URL it comes.
 */
function findLostWanted({ query, params, headers }: PlainRequest): string | undefined {
  if (query.to !== undefined || !URL.canParse(headers.referer ?? '')) return undefined;
  const from = new URL(headers.referer!);
  return from.pathname === `/queue/${params.eventId}` ? toWantedPage(from.searchParams.get('to')) : undefined;
}

type PlainVerb = 'enter' | 'leave' | 'join';

function formsOf(mode: Mode, actionOf: (what: PlainVerb) => string, texts: Record<PlainVerb, string>): PlainForm[] {
  const form = (what: PlainVerb): PlainForm => ({
    action: actionOf(what),
    label: texts[what],
    main: what !== 'leave',
  });
  if (mode === 'waiting') return [form('leave')];
  if (mode === 'ready') return [form('enter'), form('leave')];
  return ['joining', 'left', 'gone', 'ended', 'removed'].includes(mode) ? [form('join')] : [];
}

function reloadSecondsOf({ mode, place, trouble }: Known): number | undefined {
  if (trouble?.kind === 'busy' || trouble?.kind === 'unproven') return trouble.seconds;
  if (mode !== 'waiting' && mode !== 'ready') return undefined;
  return Math.max(MIN_RELOAD_SECONDS, (place?.nextPoll ?? 0) * RELOAD_FACTOR);
}

/** `GET /posters/{eventId}`: the uploaded poster, else the image that the event names, else a generated poster. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { SharedReads } from '../../http/shared-reads.ts';
import type { PosterEvent } from '../generated/generated-poster.ts';
import type { PosterContent, Posters } from '../posters.ts';

export interface PosterRoutesOptions {
  posters: Posters;
  events: { findEvent(eventId: string): Promise<ShownEvent | undefined> };
  reads: SharedReads;
}

export interface ShownEvent extends PosterEvent {
  state: string;
  imageUrl: string | null;
}

const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_A_MINUTE = 'public, max-age=60, stale-while-revalidate=86400';
/** An SVG that somebody opens by itself: no script, no request. Styles and fonts of the system are all it needs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const image = { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) };

export const posterRoutes: FastifyPluginAsyncTypebox<PosterRoutesOptions> = async (app, { posters, events, reads }) => {
  app.get(
    '/posters/:eventId',
    {
      schema: {
        tags: ['shop: events'],
        operationId: 'getPoster',
        security: [],
        errors: ['SHOP_EVENT_NOT_FOUND', 'RATE_LIMITED'],
        summary: 'The poster of an event',
        params: EventParams,
        querystring: Type.Object({
          size: Type.Optional(
            Type.Union([Type.Literal('card'), Type.Literal('large'), Type.Literal('og')], {
              description: 'card (480 x 640), large (960 x 1280) or og (1200 x 630, for previews of links)',
            }),
          ),
          v: Type.Optional(
            Type.String({ maxLength: 64, description: 'the version; with the current one, caches keep it for a year' }),
          ),
        }),
        response: {
          200: {
            description: 'The image',
            content: { 'image/webp': image, 'image/jpeg': image, 'image/png': image, 'image/svg+xml': image },
          },
          302: Type.Null({ description: 'The image that the event names, in Location' }),
          304: Type.Null({ description: 'Not changed since the version of If-None-Match' }),
        },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const { size = 'card', v } = request.query;
      const version = await reads.read(`poster ${eventId}`, request, () => posters.findVersion(eventId));
      // A caller who knows the version of an upload has seen it, so a draft can be previewed by it.
      if (version !== undefined && v === version) {
        const uploaded = await posters.findUploaded(eventId, version, size);
        if (uploaded !== undefined) return send(uploaded, `${version}-${size}`, FOR_GOOD, request, reply);
      }
      const event = await reads.read(`event ${eventId}`, request, () => events.findEvent(eventId));
      if (event === undefined || event.state === 'draft') throw new AppError('SHOP_EVENT_NOT_FOUND');
      const uploaded = version === undefined ? undefined : await posters.findUploaded(eventId, version, size);
      if (uploaded === undefined && event.imageUrl !== null) {
        return reply.header('cache-control', FOR_A_MINUTE).redirect(event.imageUrl, 302);
      }
      const content = uploaded ?? (await posters.generate(event, size));
      const cache = v === content.version ? FOR_GOOD : FOR_A_MINUTE;
      return send(content, `${content.version}-${size}`, cache, request, reply);
    },
  );
};

function send(
  { type, body }: PosterContent,
  tag: string,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = `"${tag}"`;
  // Other sites may show it: that is what the preview of a link does.
  reply.header('cache-control', cache).header('etag', etag).header('cross-origin-resource-policy', 'cross-origin');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.header('content-security-policy', POLICY).type(type).send(body);
}

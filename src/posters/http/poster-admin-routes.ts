/** Operator endpoints for posters. The body is the image itself, and has a limit of its own. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { AppError } from '../../http/errors.ts';
import { EventParams } from '../../http/event-params.ts';
import type { Operators } from '../../identity/operators.ts';
import type { Posters } from '../posters.ts';

export interface PosterAdminOptions {
  posters: Posters;
  operators: Operators;
}

const LARGEST_IMAGE = 5 * 1024 * 1024;
const types = ['image/jpeg', 'image/png', 'image/webp'];
const image = { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) };

export const posterAdminRoutes: FastifyPluginAsyncTypebox<PosterAdminOptions> = async (app, options) => {
  const { posters, operators } = options;
  const schema = { tags: ['operators: shop'], security: [{ operator: [] }], params: EventParams };
  // Before the body is read: nobody else can make this process read megabytes.
  app.addHook('onRequest', async (request) => operators.require(request));
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.put(
    '/admin/events/:eventId/poster',
    {
      bodyLimit: LARGEST_IMAGE,
      schema: {
        ...schema,
        operationId: 'putPoster',
        errors: ['SHOP_EVENT_NOT_FOUND', 'NO_IMAGE'],
        summary: 'Upload the poster of an event: a JPEG, PNG or WebP image of at most 5 MB, best 960 x 1280 or larger',
        consumes: types,
        response: {
          200: Type.Object({
            version: Type.String({ description: 'for `v` of `GET /posters/{eventId}`' }),
            url: Type.String({ description: 'of the poster in its current version' }),
          }),
        },
        body: { content: Object.fromEntries(types.map((type) => [type, image])) },
      },
      // The parsers have made it a buffer; its content is checked below.
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const { eventId } = request.params;
      const body: unknown = request.body;
      const stored = await posters.upload(eventId, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      if (stored.outcome === 'no-event') throw new AppError('SHOP_EVENT_NOT_FOUND');
      if (stored.outcome === 'no-image') throw new AppError('NO_IMAGE');
      const { version } = stored;
      await operators.audit(request, { action: 'upload poster', eventId, details: { version } });
      return { version, url: `/posters/${eventId}?size=large&v=${version}` };
    },
  );

  app.delete(
    '/admin/events/:eventId/poster',
    {
      schema: {
        ...schema,
        operationId: 'deletePoster',
        errors: ['SHOP_EVENT_NOT_FOUND'],
        summary: 'Remove the uploaded poster of an event',
        response: { 204: Type.Null({ description: 'Removed, or there was none' }) },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      if ((await posters.remove(eventId)) === 'no-event') throw new AppError('SHOP_EVENT_NOT_FOUND');
      await operators.audit(request, { action: 'remove poster', eventId, details: {} });
      return reply.code(204).send(null);
    },
  );
};

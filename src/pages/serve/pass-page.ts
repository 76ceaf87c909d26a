/**
 * The page of a staff link, `/queue/{eventId}/pass#…`. The link is in the fragment, which no server sees; the page sends it
 * in the body of a request, and only when somebody presses the button: programs that preview links must not use it up.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { EventParams } from '../../http/event-params.ts';
import type { Theme } from '../design/theme.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { PAGE_CACHE } from './page-cache.ts';
import { pageResponse } from './page-responses.ts';
import { sendFile } from './static-file.ts';

export interface PassPageOptions {
  theme: Theme;
}

export const passPage: FastifyPluginAsyncTypebox<PassPageOptions> = async (app, { theme }) => {
  const assetsAt = '/queue/assets';
  const page = loadPage({ name: 'pass', theme, assetsAt, inlineStyle: true });
  serveAssets(app, page);
  app.get(
    '/queue/:eventId/pass',
    {
      schema: {
        tags: ['pages'],
        params: EventParams,
        operationId: 'getStaffLinkPage',
        security: [],
        summary: 'The page of a staff link',
        response: pageResponse,
      },
    },
    (request, reply) =>
      sendFile(page.html, { cache: PAGE_CACHE, policy: page.policy, referrerPolicy: 'no-referrer' }, request, reply),
  );
};

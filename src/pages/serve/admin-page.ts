/** The page `/admin`: identical for everyone and never cached. Its data comes from the operator API. */
import type { FastifyPluginAsync } from 'fastify';
import { RoomSettings } from '../../line/model/room-settings.ts';
import type { Theme } from '../design/theme.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { pageResponse } from './page-responses.ts';
import { toSettingFacts } from './setting-facts.ts';
import { sendFile } from './static-file.ts';

export interface AdminPageOptions {
  theme: Theme;
  /** Settings of a room that its operator did not set. */
  roomDefaults: RoomSettings;
  hasShop: boolean;
  /** Whether operators who sign in with an account can have a second factor. */
  hasSecondFactor: boolean;
  /** Name of the identity provider at which operators can sign in; undefined: there is none. */
  providerName: string | undefined;
}

export const adminPage: FastifyPluginAsync<AdminPageOptions> = async (app, options) => {
  const { theme, roomDefaults, hasShop, hasSecondFactor, providerName } = options;
  const page = loadPage({
    name: 'admin',
    theme,
    assetsAt: '/admin/assets',
    inlineStyle: false,
    facts: {
      settings: toSettingFacts(RoomSettings.properties),
      ...{ roomDefaults, hasShop, hasSecondFactor },
      ...(providerName === undefined ? {} : { providerName }),
    },
  });
  serveAssets(app, page);
  const headers = { cache: 'no-store', policy: page.policy };
  app.get(
    '/admin',
    {
      schema: {
        tags: ['pages'],
        operationId: 'getOperatorPage',
        security: [],
        summary: 'The operator page',
        response: pageResponse,
      },
    },
    (request, reply) => sendFile(page.html, headers, request, reply),
  );
  app.get(
    '/admin/callback',
    {
      schema: {
        tags: ['pages'],
        operationId: 'getOperatorCallbackPage',
        security: [],
        summary: 'The operator page, to which the identity provider sends the browser back',
        response: pageResponse,
      },
    },
    (request, reply) => sendFile(page.html, headers, request, reply),
  );
};

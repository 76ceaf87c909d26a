/** The page `/admin`: the same for everybody, and kept by nobody. What it shows it asks for, as an operator. */
import type { FastifyPluginAsync } from 'fastify';
import { RoomSettings } from '../../line/model/room-settings.ts';
import type { Theme } from '../design/theme.ts';
import { loadPage, serveAssets } from './built-page.ts';
import { toSettingFacts } from './setting-facts.ts';
import { sendFile } from './static-file.ts';

export interface AdminPageOptions {
  theme: Theme;
  /** What a room goes by where its operator says nothing. */
  roomDefaults: RoomSettings;
  hasShop: boolean;
}

export const adminPage: FastifyPluginAsync<AdminPageOptions> = async (app, { theme, roomDefaults, hasShop }) => {
  const page = loadPage({
    name: 'admin',
    theme,
    assetsAt: '/admin/assets',
    inlineStyle: false,
    facts: { settings: toSettingFacts(RoomSettings.properties), roomDefaults, hasShop },
  });
  serveAssets(app, page);
  const headers = { cache: 'no-store', policy: page.policy };
  app.get('/admin', { schema: { tags: ['pages'], summary: 'The operator page' } }, (request, reply) =>
    sendFile(page.html, headers, request, reply),
  );
};

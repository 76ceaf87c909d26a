/** How the pages look and where they lead: part of the table of settings. */
import { text, type Values } from '../platform/settings/settings.ts';

export const pageSettings = {
  THEME_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: 'the look of docs/guides/pages.md',
    about: 'Name, logo, colours and texts of the pages, in JSON (docs/guides/pages.md). Read at the start.',
  }),
  QUEUE_TARGET: text({
    default: '/events/{eventId}/seats',
    pattern: /^\/(?!\/)[A-Za-z0-9/_.~{}?=&%-]{0,500}$/,
    allowed: 'a path of this site; `{eventId}` in it is the event',
    about: 'Where the waiting page takes whoever is let in.',
  }),
};

export interface PagesConfig {
  themeFile: string | undefined;
  target: string;
}

export function toPagesConfig(values: Values<typeof pageSettings>): PagesConfig {
  return { themeFile: values.THEME_FILE, target: values.QUEUE_TARGET! };
}

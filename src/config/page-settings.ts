/** Settings of the pages: theme and target. */
import { text, type Values } from '../platform/settings/settings.ts';

export const pageSettings = {
  THEME_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: 'the built-in theme (docs/guides/pages.md)',
    about:
      'JSON file with the name, logo, colours and texts of the pages (docs/guides/pages.md). Read once, at startup.',
  }),
  QUEUE_TARGET: text({
    default: '/events/{eventId}/seats',
    pattern: /^\/(?!\/)[A-Za-z0-9/_.~{}?=&%-]{0,500}$/,
    allowed: 'a path of this site; `{eventId}` is replaced',
    about: 'Target: where the waiting page sends an admitted visitor.',
  }),
};

export interface PagesConfig {
  themeFile: string | undefined;
  target: string;
}

export function toPagesConfig(values: Values<typeof pageSettings>): PagesConfig {
  return { themeFile: values.THEME_FILE, target: values.QUEUE_TARGET! };
}

/** Settings of the pages: theme and target. */
import { onOff, text, type Values } from '../platform/settings/settings.ts';

export const pageSettings = {
  THEME_FILE: text({
    default: undefined,
    pattern: /^.+$/,
    allowed: 'a file',
    defaultText: 'the built-in theme (docs/guides/pages.md)',
    about:
      'JSON file with the name, logo, colours and texts of the pages (docs/guides/pages.md). Read once, at startup.',
  }),
  DESIGN_PAGE: onOff({
    default: false,
    about: 'Serve `/design`, which shows all components of the pages, for development. `npm run dev` turns it on.',
  }),
  QUEUE_TARGET: text({
    default: undefined,
    defaultText: '`/events/{eventId}/seats` with a shop, else none',
    pattern: /^\/(?!\/|(?:queue|vwr)(?:[/?]|$))[A-Za-z0-9/_.~{}?=&%-]{0,500}$/,
    allowed: 'a path of this site other than a waiting page; `{eventId}` is replaced',
    about:
      'Target: where admitted visitors go who did not come from a page, in rooms without a target of their own. ' +
      'Without one, the waiting page says that they are in.',
  }),
};

export interface PagesConfig {
  themeFile: string | undefined;
  /** Whether `/design` is served. */
  designPage: boolean;
  /** undefined: rooms without a target of their own have none. */
  target: string | undefined;
}

/** The page of our own shop on which admitted visitors choose. */
const SHOP_TARGET = '/events/{eventId}/seats';

export function toPagesConfig(values: Values<typeof pageSettings>, hasShop: boolean): PagesConfig {
  return {
    themeFile: values.THEME_FILE,
    designPage: values.DESIGN_PAGE,
    target: values.QUEUE_TARGET ?? (hasShop ? SHOP_TARGET : undefined),
  };
}

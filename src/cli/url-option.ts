/** The option --url: the origin of a running instance. */
import { option } from '../platform/settings/options.ts';
import { text } from '../platform/settings/settings.ts';

export function urlOption(about: string) {
  return option(
    'URL',
    text({
      default: 'http://localhost:3000',
      pattern: /^https?:\/\/[A-Za-z0-9.:[\]_-]+$/,
      allowed: 'an http or https origin without a path',
      about,
    }),
  );
}

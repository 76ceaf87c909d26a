/** Where a visitor goes after signing in: back to where they were. */
import { isOwnTarget } from '../../../http/wanted-page.ts';
import { recall, remember } from '../../design/browser.ts';

const KEY = 'fairline-after-sign-in';

/** The page in `?to=`. Only paths of this site, to prevent open redirects. */
export function readTarget(): string | undefined {
  const to = new URLSearchParams(location.search).get('to');
  return to !== null && isOwnTarget(to) ? to : undefined;
}

/** For the way over a mailed link, which does not know the page. */
export function rememberTarget(target: string | undefined): void {
  remember(KEY, target);
}

export function takeRememberedTarget(): string | undefined {
  const target = recall(KEY);
  remember(KEY, undefined);
  return target !== undefined && isOwnTarget(target) ? target : undefined;
}

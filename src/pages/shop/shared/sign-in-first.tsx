/** Sends visitors without an account to sign in or to create one, and back to this page. */
import { Banner } from './banner.tsx';
import { texts } from './words.ts';

export function SignInFirst({ text = texts.signInFirst }: { text?: string }) {
  const back = `to=${encodeURIComponent(location.pathname + location.search)}`;
  return (
    <div class="card stack">
      <Banner>{text}</Banner>
      <div class="actions">
        <a class="button main" href={`/sign-in?${back}`}>
          {texts.signIn}
        </a>
        <a class="button" href={`/sign-in?new=1&${back}`}>
          {texts.register}
        </a>
      </div>
    </div>
  );
}

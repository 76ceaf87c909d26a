/** Sends visitors without an account to sign in, and back. */
import { Notice } from './frame.tsx';
import { texts } from './words.ts';

export function SignInFirst() {
  return (
    <>
      <Notice text={texts.signInFirst} />
      <p>
        <a class="button main" href={`/sign-in?to=${encodeURIComponent(location.pathname)}`}>
          {texts.signIn}
        </a>
      </p>
    </>
  );
}

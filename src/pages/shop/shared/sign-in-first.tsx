/** Leads whoever is nobody here to signing in, and back. */
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

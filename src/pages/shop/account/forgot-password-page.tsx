/** Asks for a mail with a link to choose a new password. The page says the same whether or not the email has an account. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Frame, Notice } from '../shared/frame.tsx';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';

export function ForgotPasswordPage() {
  const [said, setSaid] = useState('');
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget as HTMLFormElement).get('email'));
    setBusy(true);
    const answer = await send('POST', '/api/auth/password/forgot', { email });
    setBusy(false);
    setSent(answer.ok);
    setSaid(answer.ok ? '' : reasonOf(answer.problem));
  };
  return (
    <Frame title={texts.forgotTitle}>
      <h1>{texts.forgotTitle}</h1>
      <form class="panel sign-in" onSubmit={submit}>
        {isSent ? <Notice text={texts.forgotSent} /> : <p class="soft">{texts.forgotText}</p>}
        {!isSent && (
          <>
            <label>
              {texts.email}
              <input type="email" name="email" autocomplete="username" required maxLength={254} />
            </label>
            {said !== '' && <Notice tone="warn" text={said} />}
            <button type="submit" class="main wide" disabled={isBusy}>
              {texts.forgotSend}
            </button>
          </>
        )}
        <a href="/sign-in">{texts.signIn}</a>
      </form>
    </Frame>
  );
}

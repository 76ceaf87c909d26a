/** Asks for a mail with a link to choose a new password. The page says the same whether or not the email has an account. */
import { useState } from 'preact/hooks';
import { LONGEST_EMAIL } from '../../../shop/rules/buyer-form.ts';
import { send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { emailRule } from '../shared/field-rules.ts';
import { Frame } from '../shared/frame.tsx';
import { TextField } from '../shared/text-field.tsx';
import { useProblems } from '../shared/use-problems.ts';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';

export function ForgotPasswordPage() {
  const [said, setSaid] = useState('');
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { form, problems, check } = useProblems();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!check({ email: emailRule })) return;
    const email = String(new FormData(form.current!).get('email'));
    setBusy(true);
    const answer = await send('POST', '/api/auth/password/forgot', { email });
    setBusy(false);
    setSent(answer.ok);
    setSaid(answer.ok ? '' : reasonOf(answer.problem));
  };
  return (
    <Frame title={texts.forgotTitle}>
      <div class="narrow stack">
        <h1>{texts.forgotTitle}</h1>
        <form class="card stack sign-in" ref={form} onSubmit={submit} noValidate>
          {isSent ? <Banner tone="success">{texts.forgotSent}</Banner> : <p class="soft">{texts.forgotText}</p>}
          {!isSent && (
            <>
              <TextField
                name="email"
                type="email"
                label={texts.email}
                autocomplete="username"
                maxLength={LONGEST_EMAIL}
                problem={problems.email}
              />
              {said !== '' && <Banner tone="danger">{said}</Banner>}
              <button type="submit" class="main wide" disabled={isBusy}>
                {texts.forgotSend}
              </button>
            </>
          )}
          <a href="/sign-in">{texts.signIn}</a>
        </form>
      </div>
    </Frame>
  );
}

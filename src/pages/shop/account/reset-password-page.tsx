/** Chooses a new password by a mailed link, and signs in. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { passwordRule } from '../shared/field-rules.ts';
import { Frame } from '../shared/frame.tsx';
import { useProblems } from '../shared/use-problems.ts';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { takeLinkSecret } from './link-secret.ts';
import { PasswordField } from './password-field.tsx';
import { takeRememberedTarget } from './return-target.ts';

export function ResetPasswordPage() {
  const [secret] = useState(takeLinkSecret);
  const [said, setSaid] = useState(secret === '' ? texts.linkInvalid : '');
  const [isBusy, setBusy] = useState(false);
  const { form, problems, check } = useProblems();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!check({ password: passwordRule })) return;
    const password = String(new FormData(form.current!).get('password'));
    setBusy(true);
    const answer = await send('POST', '/api/auth/password/reset', { secret, password });
    if (answer.ok) {
      location.replace(takeRememberedTarget() ?? '/me');
      return;
    }
    setBusy(false);
    setSaid(reasonOf(answer.problem));
  };
  return (
    <Frame title={texts.resetTitle}>
      <div class="narrow stack">
        <h1>{texts.resetTitle}</h1>
        <form class="card stack sign-in" ref={form} onSubmit={submit} noValidate>
          {secret !== '' && (
            <>
              <PasswordField
                label={texts.newPassword}
                name="password"
                isNew
                hint={texts.passwordRule}
                problem={problems.password}
              />
              <p class="soft small">{texts.resetText}</p>
            </>
          )}
          {said !== '' && <Banner tone="danger">{said}</Banner>}
          {secret !== '' && (
            <button type="submit" class="main wide" disabled={isBusy}>
              {texts.resetSave}
            </button>
          )}
          <a href="/forgot-password">{texts.forgotAgain}</a>
        </form>
      </div>
    </Frame>
  );
}

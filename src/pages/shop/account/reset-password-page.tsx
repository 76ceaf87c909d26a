/** Chooses a new password by a mailed link, and signs in. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Frame, Notice } from '../shared/frame.tsx';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { takeLinkSecret } from './link-secret.ts';
import { PasswordField } from './password-field.tsx';

export function ResetPasswordPage() {
  const [secret] = useState(takeLinkSecret);
  const [said, setSaid] = useState(secret === '' ? texts.linkInvalid : '');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get('password'));
    setBusy(true);
    const answer = await send('POST', '/api/auth/password/reset', { secret, password });
    if (answer.ok) {
      location.replace('/me');
      return;
    }
    setBusy(false);
    setSaid(reasonOf(answer.problem));
  };
  return (
    <Frame title={texts.resetTitle}>
      <h1>{texts.resetTitle}</h1>
      <form class="panel sign-in" onSubmit={submit}>
        {secret !== '' && (
          <>
            <PasswordField label={texts.newPassword} name="password" isNew />
            <p class="soft small">{texts.passwordRule}</p>
            <p class="soft small">{texts.resetText}</p>
          </>
        )}
        {said !== '' && <Notice tone="warn" text={said} />}
        {secret !== '' && (
          <button type="submit" class="main wide" disabled={isBusy}>
            {texts.resetSave}
          </button>
        )}
        <a href="/forgot-password">{texts.forgotAgain}</a>
      </form>
    </Frame>
  );
}

/** Sign in or register. Reservations made as a guest move to the account. */
import { useState } from 'preact/hooks';
import { isOwnTarget } from '../../../http/wanted-page.ts';
import { send } from '../shared/api.ts';
import { Frame, Notice } from '../shared/frame.tsx';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { PasswordField } from './password-field.tsx';

export function SignInPage() {
  const [isNew, setNew] = useState(false);
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [email, password] = [String(fields.get('email')), String(fields.get('password'))];
    setBusy(true);
    const answer = await send('POST', `/api/auth/${isNew ? 'register' : 'login'}`, { email, password });
    if (answer.ok) {
      location.replace(targetOf(new URLSearchParams(location.search).get('to')));
      return;
    }
    setBusy(false);
    setSaid(reasonOf(answer.problem));
  };
  const title = isNew ? texts.register : texts.signIn;
  return (
    <Frame title={title}>
      <h1>{title}</h1>
      <form class="panel sign-in" onSubmit={submit}>
        <label>
          {texts.email}
          <input type="email" name="email" autocomplete="username" required maxLength={254} />
        </label>
        <PasswordField label={texts.password} name="password" isNew={isNew} />
        {isNew && <p class="soft small">{texts.passwordRule}</p>}
        {said !== '' && <Notice tone="warn" text={said} />}
        <button type="submit" class="main wide" disabled={isBusy}>
          {title}
        </button>
        <button type="button" class="plain wide" onClick={() => setNew(!isNew)}>
          {isNew ? texts.haveAccount : texts.noAccount}
        </button>
        {!isNew && <a href="/forgot-password">{texts.forgot}</a>}
      </form>
    </Frame>
  );
}

/** Only paths of this site, to prevent open redirects. */
function targetOf(path: string | null): string {
  return path !== null && isOwnTarget(path) ? path : '/me';
}

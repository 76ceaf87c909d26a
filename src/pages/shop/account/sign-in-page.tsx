/** Sign in or register, then back to where the visitor was. Reservations made as a guest move to the account. */
import { useState } from 'preact/hooks';
import { LONGEST_EMAIL } from '../../../shop/rules/buyer-form.ts';
import { send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { emailRule, passwordRule } from '../shared/field-rules.ts';
import { Frame } from '../shared/frame.tsx';
import { TextField } from '../shared/text-field.tsx';
import { useProblems } from '../shared/use-problems.ts';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { PasswordField } from './password-field.tsx';
import { readTarget, rememberTarget } from './return-target.ts';

export function SignInPage() {
  const [isNew, setNew] = useState(() => new URLSearchParams(location.search).get('new') === '1');
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { form, problems, check } = useProblems();
  const target = readTarget();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSaid('');
    if (!check({ email: emailRule, password: passwordRule })) return;
    const fields = new FormData(form.current!);
    const [email, password] = [String(fields.get('email')), String(fields.get('password'))];
    setBusy(true);
    const answer = await send('POST', `/api/auth/${isNew ? 'register' : 'login'}`, { email, password });
    if (answer.ok) {
      rememberTarget(undefined);
      location.replace(target ?? '/me');
      return;
    }
    setBusy(false);
    setSaid(reasonOf(answer.problem));
  };
  const title = isNew ? texts.register : texts.signIn;
  return (
    <Frame title={title}>
      <div class="narrow stack">
        <h1>{title}</h1>
        <form class="card stack sign-in" ref={form} onSubmit={submit} noValidate>
          <TextField
            name="email"
            type="email"
            label={texts.email}
            autocomplete="username"
            maxLength={LONGEST_EMAIL}
            problem={problems.email}
          />
          <PasswordField
            label={texts.password}
            name="password"
            isNew={isNew}
            problem={problems.password}
            {...(isNew ? { hint: texts.passwordRule } : {})}
          />
          {said !== '' && <Banner tone="danger">{said}</Banner>}
          <button type="submit" class="main wide" disabled={isBusy}>
            {title}
          </button>
          <button type="button" class="plain wide" onClick={() => setNew(!isNew)}>
            {isNew ? texts.haveAccount : texts.noAccount}
          </button>
        </form>
        <p class="row between">
          {!isNew && (
            <a href="/forgot-password" onClick={() => rememberTarget(target)}>
              {texts.forgot}
            </a>
          )}
          <a href="/find-ticket">{texts.findLink}</a>
        </p>
      </div>
    </Frame>
  );
}

/** Security of the own account: the email, the password and the sessions. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Banner, type Tone } from '../shared/banner.tsx';
import type { WhoAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { PasswordField } from './password-field.tsx';
import { SessionList } from './session-list.tsx';

export function SecuritySection({ who }: { who: WhoAnswer }) {
  // A change of the password ends sessions, so the list is loaded again.
  const [changes, setChanges] = useState(0);
  return (
    <section class="security" aria-labelledby="security-title">
      <h2 id="security-title">{texts.security}</h2>
      {who.emailVerified !== true && <ConfirmEmail />}
      <SessionList key={changes} />
      <ChangePassword onChanged={() => setChanges(changes + 1)} />
    </section>
  );
}

function ConfirmEmail() {
  const [said, setSaid] = useState<{ text: string; tone: Tone }>();
  const ask = async () => {
    const answer = await send('POST', '/api/auth/email/confirmation');
    setSaid(
      answer.ok ? { text: texts.confirmSent, tone: 'success' } : { text: reasonOf(answer.problem), tone: 'danger' },
    );
  };
  return (
    <div class="card">
      <h3>{texts.confirmTitle}</h3>
      {said === undefined ? (
        <p class="soft">{texts.emailUnconfirmed}</p>
      ) : (
        <Banner tone={said.tone}>{said.text}</Banner>
      )}
      <div class="actions">
        <button type="button" onClick={ask}>
          {texts.confirmSend}
        </button>
      </div>
    </div>
  );
}

function ChangePassword({ onChanged }: { onChanged: () => void }) {
  const [said, setSaid] = useState<{ text: string; tone: Tone }>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    setBusy(true);
    const answer = await send('POST', '/api/auth/password', {
      currentPassword: String(fields.get('current')),
      password: String(fields.get('password')),
    });
    setBusy(false);
    if (answer.ok) {
      form.reset();
      onChanged();
    }
    const isWrong = !answer.ok && answer.problem.code === 'WRONG_CREDENTIALS';
    setSaid(
      answer.ok
        ? { text: texts.passwordChanged, tone: 'success' }
        : { text: isWrong ? texts.currentWrong : reasonOf(answer.problem), tone: 'danger' },
    );
  };
  return (
    <form class="card change-password" onSubmit={submit}>
      <h3>{texts.changePassword}</h3>
      <PasswordField label={texts.currentPassword} name="current" />
      <PasswordField label={texts.newPassword} name="password" isNew />
      <p class="soft small">{texts.passwordRule}</p>
      {said !== undefined && <Banner tone={said.tone}>{said.text}</Banner>}
      <div class="actions">
        <button type="submit" disabled={isBusy}>
          {texts.changePassword}
        </button>
      </div>
    </form>
  );
}

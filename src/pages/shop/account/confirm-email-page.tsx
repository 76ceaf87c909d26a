/** Confirms an email by a mailed link. On a click: programs that scan mails open links. */
import { useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import { Banner } from '../shared/banner.tsx';
import { Frame } from '../shared/frame.tsx';
import { texts } from '../shared/words.ts';
import { reasonOf } from './account-problems.ts';
import { takeLinkSecret } from './link-secret.ts';

export function ConfirmEmailPage() {
  const [secret] = useState(takeLinkSecret);
  const [said, setSaid] = useState(secret === '' ? texts.linkInvalid : '');
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const answer = await send('POST', '/api/auth/email/confirm', { secret });
    setBusy(false);
    setDone(answer.ok);
    setSaid(answer.ok ? '' : reasonOf(answer.problem));
  };
  return (
    <Frame title={texts.confirmTitle}>
      <h1>{texts.confirmTitle}</h1>
      <div class="card sign-in">
        {isDone && <Banner tone="success">{texts.confirmDone}</Banner>}
        {!isDone && secret !== '' && <p class="soft">{texts.confirmText}</p>}
        {said !== '' && <Banner tone="danger">{said}</Banner>}
        {!isDone && secret !== '' && (
          <button type="button" class="main wide" disabled={isBusy} onClick={confirm}>
            {texts.confirmButton}
          </button>
        )}
        <a href="/me">{texts.myTickets}</a>
      </div>
    </Frame>
  );
}

/** The signed-in account with a link to sign in or out; renders nothing without accounts. */

import type { Answer } from '../shared/api.ts';
import { send } from '../shared/api.ts';
import type { WhoAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';

export function AccountLine({ answer }: { answer: Answer<WhoAnswer> | undefined }) {
  const isMissing = answer === undefined || (!answer.ok && answer.problem.code !== 'UNAUTHENTICATED');
  if (isMissing) return null;
  if (!answer.ok || answer.value.kind === 'guest') {
    const back = `to=${encodeURIComponent(location.pathname)}`;
    return (
      <p class="row">
        <a class="button" href={`/sign-in?${back}`}>
          {texts.signIn}
        </a>
        <a class="button plain" href={`/sign-in?new=1&${back}`}>
          {texts.register}
        </a>
      </p>
    );
  }
  const signOut = async () => {
    await send('POST', '/api/auth/logout');
    location.replace('/');
  };
  return (
    <p class="account row between">
      <span class="soft">{answer.value.email}</span>
      <button type="button" class="plain" onClick={signOut}>
        {texts.signOut}
      </button>
    </p>
  );
}

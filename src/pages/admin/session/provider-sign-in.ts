/** Signing in at the identity provider: the way there, and the way back to this page. */
import { type Refusal, SESSION } from '../api/api.ts';
import { type Desk, refusalText } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';

const CALLBACK = '/admin/callback';
/** Where the operator was, for this tab. */
const WAS_AT = 'fairline-was-at';

export function providerButton(desk: Desk, label: string): HTMLElement {
  const { api } = desk;
  const problem = el('p', {
    id: 'provider-problem',
    className: 'problem',
    hidden: true,
    attributes: { role: 'alert' },
  });
  const button = el('button', { id: 'provider', type: 'button', className: 'main', textContent: label });
  button.addEventListener('click', async () => {
    button.disabled = true;
    const answer = await api.post<{ url: string }>(`${SESSION}/provider`);
    if (answer.ok) {
      sessionStorage.setItem(WAS_AT, location.hash);
      return location.assign(answer.body.url);
    }
    button.disabled = false;
    problem.hidden = false;
    problem.textContent = problemText(desk, answer);
  });
  return el('div', { className: 'provider' }, button, problem);
}

/** If the provider has just sent the browser back: completes the sign-in. Returns what went wrong, if anything did. */
export async function finishProviderSignIn(desk: Desk): Promise<string | undefined> {
  if (location.pathname !== CALLBACK) return undefined;
  const query = location.search.slice(1);
  // The code must not stay in the address, nor be sent again when the page is loaded again.
  history.replaceState(null, '', `/admin${sessionStorage.getItem(WAS_AT) ?? ''}`);
  sessionStorage.removeItem(WAS_AT);
  if (query === '') return undefined;
  const answer = await desk.api.post(`${SESSION}/provider/complete`, { query });
  return answer.ok ? undefined : problemText(desk, answer);
}

function problemText(desk: Desk, refusal: Refusal): string {
  const { texts } = desk;
  const known: Record<string, string> = {
    PROVIDER_UNAVAILABLE: texts.providerAway,
    PROVIDER_REFUSED: texts.providerRefused,
    NO_OPERATOR_ROLE: texts.providerNoRole,
  };
  return known[refusal.code] ?? refusalText(desk, refusal);
}

/** The page of a staff link: binds the link to this device when its holder presses the button. */
import '../waiting.css';
import { chooseLanguage, ownPage, readLanguage, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import { formatTime } from '../../texts/format.ts';
import * as ko from '../../texts/ko.ts';
import { fill } from '../../texts/language.ts';
import { element, render } from '../render.ts';

/** Named one by one, to keep the texts of other pages out of the bundle. */
const catalogue = {
  ko: { common: ko.common, pass: ko.pass },
  en: { common: en.common, pass: en.pass },
};

type State = 'ask' | 'opening' | 'ready' | 'invalid' | 'used' | 'failed';

const TIMEOUT_MS = 10_000;
const CODES: Readonly<Record<string, State>> = { PASS_INVALID: 'invalid', PASS_USED: 'used', INVALID_INPUT: 'invalid' };
const eventId = location.pathname.split('/')[2]!;
const link = location.hash.slice(1);

let language = readLanguage();
let state: State = link === '' ? 'invalid' : 'ask';
let expiresAt = '';
let target = '/';

element('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko';
  chooseLanguage(language);
  show();
});
show();

async function open(): Promise<void> {
  become('opening');
  try {
    const response = await fetch(`/api/queue/pass/${eventId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json()) as { expiresAt?: string; target?: string | null; error?: { code: string } };
    if (!response.ok) return become(CODES[body.error?.code ?? ''] ?? 'failed');
    expiresAt = body.expiresAt ?? '';
    target = ownPage(body.target ?? null) ?? '/';
    // The address bar and the history need not keep it.
    history.replaceState(null, '', location.pathname);
    become('ready');
  } catch {
    become('failed');
  }
}

function become(next: State): void {
  state = next;
  show();
}

function show(): void {
  const { common, pass } = catalogue[language];
  const names = withTheme('common', language, common);
  const texts = withTheme('pass', language, pass);
  const says: Record<State, string> = {
    ask: texts.passAsk,
    opening: texts.passOpening,
    ready: state === 'ready' ? fill(texts.passReady, { time: formatTime(expiresAt, language) }) : '',
    invalid: texts.passInvalid,
    used: texts.passUsed,
    failed: texts.passFailed,
  };
  const isBad = state === 'invalid' || state === 'used' || state === 'failed';
  render(
    {
      documentTitle: texts.passTitle,
      eyebrow: undefined,
      title: texts.passTitle,
      subtitle: undefined,
      posterOf: undefined,
      hero: undefined,
      progress: undefined,
      facts: [],
      say: { kind: state === 'ready' ? 'turn' : isBad ? 'closed' : 'calm', title: undefined, text: says[state] },
      updated: undefined,
      notes: [],
      rows: [],
      number: undefined,
      hint: undefined,
      link: state === 'ready' ? { href: target, label: texts.passGo } : undefined,
      reminder: undefined,
      actions: state === 'ask' || state === 'failed' ? ['enter'] : [],
      isTurn: false,
      refund: undefined,
      joinLabel: '',
    },
    {
      language,
      brand: names.brand,
      otherLanguage: names.language,
      progressLabel: '',
      labels: { enter: texts.passUse, join: '', leave: '', alert: '' },
    },
    () => void open(),
  );
}

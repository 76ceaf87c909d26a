/** The page of a staff link: binds the link to this device when its holder presses the button. */
import '../waiting.css';
import { chooseLanguage, ownPage, readVisitorLanguage, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import { formatTime } from '../../texts/format.ts';
import * as ja from '../../texts/ja.ts';
import * as ko from '../../texts/ko.ts';
import { fill, type VisitorLanguage } from '../../texts/language.ts';
import * as zhHans from '../../texts/zh-hans.ts';
import { loadTexts } from '../load-texts.ts';
import { element, render } from '../render.ts';

/** Named one by one, to keep the texts of other pages out of the bundle. */
const passTexts = { ko: ko.pass, en: en.pass, ja: ja.pass, 'zh-Hans': zhHans.pass };

type State = 'ask' | 'opening' | 'ready' | 'invalid' | 'used' | 'failed';

const TIMEOUT_MS = 10_000;
const CODES: Readonly<Record<string, State>> = { PASS_INVALID: 'invalid', PASS_USED: 'used', INVALID_INPUT: 'invalid' };
const eventId = location.pathname.split('/')[2]!;
const link = location.hash.slice(1);

let language = readVisitorLanguage();
let texts = await loadTexts(language);
let state: State = link === '' ? 'invalid' : 'ask';
let expiresAt = '';
let target = '/';

element('language').addEventListener('change', async () => {
  language = element<HTMLSelectElement>('language').value as VisitorLanguage;
  chooseLanguage(language);
  texts = await loadTexts(language);
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
  const { common } = texts;
  const names = withTheme('common', language, common);
  const words = withTheme('pass', language, passTexts[language]);
  const says: Record<State, string> = {
    ask: words.passAsk,
    opening: words.passOpening,
    ready: state === 'ready' ? fill(words.passReady, { time: formatTime(expiresAt, language) }) : '',
    invalid: words.passInvalid,
    used: words.passUsed,
    failed: words.passFailed,
  };
  const isBad = state === 'invalid' || state === 'used' || state === 'failed';
  render(
    {
      documentTitle: words.passTitle,
      eyebrow: undefined,
      title: words.passTitle,
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
      link: state === 'ready' ? { href: target, label: words.passGo } : undefined,
      reminder: undefined,
      actions: state === 'ask' || state === 'failed' ? ['enter'] : [],
      isTurn: false,
      refund: undefined,
      joinLabel: '',
    },
    {
      language,
      brand: names.brand,
      progressLabel: '',
      labels: { enter: words.passUse, join: '', leave: '', alert: '' },
    },
    () => void open(),
  );
}

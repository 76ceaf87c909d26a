/** The operator page: session, current view, and live updates for it. */
import './admin.css';
import './events/events.css';
import { chooseLanguage, facts, readLanguage, withTheme } from '../design/browser.ts';
import * as en from '../texts/en.ts';
import * as ko from '../texts/ko.ts';
import { fill, type Language } from '../texts/language.ts';
import { Api, SESSION } from './api/api.ts';
import { Live } from './api/live.ts';
import { type AdminFacts, type Overview, roles, type Session } from './api/wire.ts';
import { confirm } from './controls/confirm.ts';
import type { Desk, View } from './controls/desk.ts';
import { fillWith, setText } from './controls/dom.ts';
import { openView } from './routes.ts';
import { codeView } from './session/code-view.ts';
import { enrolView } from './session/enrol-view.ts';
import { createHeader, type Header } from './session/header.ts';
import { finishProviderSignIn } from './session/provider-sign-in.ts';
import { signInView } from './session/sign-in-view.ts';

/** Renews the session well before it ends. */
const STAY_MS = 300_000;
const TOLD_MS = 8_000;
/** Shorter silences are not shown. */
const QUIET_SECONDS = 3;

const main = document.getElementById('main')!;
const status = document.getElementById('status')!;

let session: Session = { signedIn: false };
let view: View | undefined;
let desk = createDesk(readLanguage());
let header: Header = createHeader(desk, headerActions());
let forgetting: number | undefined;

const live = new Live({
  get: (path) => desk.api.get<Overview>(path),
  historyOf: () => view?.historyOf,
  spanOf: () => view?.span?.() ?? 'live',
  onOverview(overview) {
    header.showLive(overview);
    view?.update?.(overview);
  },
  onNoResponse(seconds) {
    if (seconds >= QUIET_SECONDS) header.showSilence(seconds);
  },
});

function createDesk(language: Language): Desk {
  const catalogue = { ko, en }[language];
  const texts = withTheme('admin', language, catalogue.admin);
  return {
    language,
    texts,
    settingTexts: withTheme('settings', language, catalogue.settings),
    durationTexts: withTheme('waiting', language, catalogue.waiting),
    common: withTheme('common', language, catalogue.common),
    facts: facts as unknown as AdminFacts,
    api: new Api(() => signedOut(texts.signedOut), language),
    account: () => session.by,
    may: (role) => session.role !== undefined && roles.indexOf(session.role) >= roles.indexOf(role),
    overview: () => live.overview,
    refresh: () => live.refresh(),
    say,
    confirm: (question) => confirm(question, texts),
  };
}

function headerActions() {
  return {
    async signOut() {
      await desk.api.delete(SESSION);
      signedOut(undefined);
    },
    changeLanguage() {
      const language = desk.language === 'ko' ? 'en' : 'ko';
      chooseLanguage(language);
      desk = createDesk(language);
      header = createHeader(desk, headerActions());
      show();
    },
  };
}

function say(text: string, tone: 'good' | 'bad' = 'good'): void {
  clearTimeout(forgetting);
  status.className = tone;
  setText(status, text);
  forgetting = window.setTimeout(() => setText(status, ''), TOLD_MS);
}

function signedOut(note: string | undefined): void {
  if (!session.signedIn) return;
  session = { signedIn: false };
  live.stop();
  show(note);
}

/** Shows what the session allows: everything that its role may do, its next step, or signing in. */
async function enter(note?: string): Promise<void> {
  const answer = await desk.api.get<Session>(SESSION);
  session = answer.ok ? answer.body : { signedIn: false };
  if (session.signedIn) live.start();
  show(note);
}

function openNext(note: string | undefined): View {
  if (session.signedIn) return openView(location.hash, desk);
  const next = () => void enter();
  if (session.missing === 'code') return codeView(desk, next);
  return session.missing === 'enrol' ? enrolView(desk, next) : signInView(desk, next, note);
}

function show(note?: string): void {
  view?.close?.();
  view = openNext(note);
  document.documentElement.lang = desk.language;
  document.documentElement.dataset.role = session.role ?? '';
  document.title = fill('{view} · {brand}', { view: view.title, brand: desk.common.brand });
  fillWith(document.getElementById('header')!, ...header.show(session, location.hash));
  // On a phone the navigation is wider than the screen.
  document.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  fillWith(main, view.root);
  if (live.overview !== undefined) view.update?.(live.overview);
  if (session.signedIn) live.refresh();
}

/** Keeps an open page signed in, and notices after sleep that the session has ended, or that its role has changed. */
async function stay(): Promise<void> {
  if (!session.signedIn) return;
  const answer = await desk.api.get<Session>(SESSION);
  if (!answer.ok) return;
  if (!answer.body.signedIn) return signedOut(desk.texts.signedOut);
  const hasChanged = answer.body.role !== session.role;
  session = answer.body;
  if (hasChanged) show();
}

window.addEventListener('hashchange', () => {
  show();
  window.scrollTo(0, 0);
  main.focus();
});
window.setInterval(stay, STAY_MS);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void stay();
});

await enter(await finishProviderSignIn(desk));

/** The waiting page of an event: joins the line, shows the visitor's place, and goes to the target when admitted. */
import '../waiting.css';
import { toWantedPage } from '../../../http/wanted-page.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import { chooseLanguage, jitter, ownPage, readLanguage, recall, remember, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import * as ko from '../../texts/ko.ts';
import type { Action } from '../page-view.ts';
import { element, render } from '../render.ts';
import { alerting, announce, enableAlerts } from './announce.ts';
import { LineClient, type News } from './line-client.ts';
import { type EventFacts, type Known, toView } from './line-view.ts';

type Change = { [Key in keyof Known]?: Known[Key] | undefined };

/** Named one by one, to keep the texts of other pages out of the bundle. */
const catalogue = {
  ko: { common: ko.common, waiting: ko.waiting },
  en: { common: en.common, waiting: en.waiting },
};

const eventId = location.pathname.split('/')[2]!;
const wanted = toWantedPage(new URLSearchParams(location.search).get('to'));
const LEFT = '#left';
const EVENT_EVERY_SECONDS = 20;
/** Time for the alert to be heard before the page changes. */
const ALERT_MS = 1_500;
/** A page hidden for longer than this reconnects. */
const RECONNECT_AFTER_MS = 10_000;

let language = readLanguage();
let known: Known = { eventId, mode: location.hash === LEFT ? 'left' : 'joining' };
let hiddenAt = 0;

const line = new LineClient(eventId, wanted, handle);

element('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko';
  chooseLanguage(language);
  show();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) hiddenAt = Date.now();
  else if (Date.now() - hiddenAt > RECONNECT_AFTER_MS) line.refresh();
});
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
addEventListener('online', () => {
  if (isInLine()) line.refresh();
});
addEventListener('offline', () => change({ trouble: { kind: 'offline' } }));
element('question-no').addEventListener('click', () => element<HTMLDialogElement>('question').close());
element('question-yes').addEventListener('click', leave);

show();
if (known.mode === 'joining') line.connect();
void pollEvent();
// The time left to enter a claim room counts down by the second.
setInterval(() => known.mode === 'ready' && show(), 1_000);

function handle(news: News): void {
  if (news.kind === 'redirect') location.replace(news.to);
  else if (news.kind === 'turn') goIn(wanted ?? ownPage(news.target));
  else if (news.kind === 'lost') change({ trouble: { kind: navigator.onLine ? 'lost' : 'offline' } });
  else if (news.kind === 'checking') change({ mode: 'checking', trouble: undefined });
  else if (news.kind === 'busy') change({ trouble: { kind: 'busy', seconds: news.seconds } });
  else {
    if (news.kind === 'place') noteFirst(news.place);
    if (news.kind === 'ready' && known.mode !== 'ready') announceTurn();
    if (news.kind === 'over') forgetPlace(news.how);
    change({ ...learn(news), trouble: undefined });
  }
}

function learn(news: Extract<News, { kind: 'room' | 'place' | 'ready' | 'over' | 'refused' }>): Change {
  switch (news.kind) {
    case 'room':
      return { room: news.room };
    case 'place':
      return { mode: 'waiting', place: news.place };
    case 'ready':
      return { mode: 'ready', place: { ...known.place, ...news.place } };
    case 'over':
      return { mode: news.how, place: undefined };
    case 'refused':
      return { mode: news.why, page: news.page };
  }
}

/** The hash keeps a reload from joining again after leaving. */
function forgetPlace(how: Extract<News, { kind: 'over' }>['how']): void {
  remember(firstKey(), undefined);
  if (how === 'left') history.replaceState(null, '', LEFT);
}

function act(action: Action): void {
  if (action === 'join') {
    history.replaceState(null, '', location.pathname + location.search);
    change({ mode: 'joining' });
    line.connect();
  } else if (action === 'enter') void line.enter();
  else if (action === 'alert') void enableAlerts().then(show, show);
  else element<HTMLDialogElement>('question').showModal();
}

async function leave(): Promise<void> {
  element<HTMLDialogElement>('question').close();
  await line.leave();
}

/** Without a target the page stays, and says that the visitor is in. */
function goIn(target: string | undefined): void {
  if (known.mode !== 'ready') announceTurn();
  change({ mode: target === undefined ? 'in' : 'turn', trouble: undefined });
  remember(firstKey(), undefined);
  if (target === undefined) return;
  setTimeout(() => location.replace(target), alerting() === 'off' ? 0 : ALERT_MS);
}

function announceTurn(): void {
  const { waiting } = catalogue[language];
  announce(waiting.turnTitle, known.event?.title ?? '');
}

function isInLine(): boolean {
  return ['joining', 'checking', 'waiting', 'ready'].includes(known.mode);
}

function firstKey(): string {
  return `fairline-first-${eventId}`;
}

/** Remembers how many were ahead at first, while the number stays the same. */
function noteFirst({ number, peopleAhead }: { number?: number; peopleAhead?: number }): void {
  if (number === undefined || peopleAhead === undefined) return;
  const [keptNumber, kept] = (recall(firstKey()) ?? '').split(':').map(Number);
  if (keptNumber === number && kept !== undefined) known.firstAhead = kept;
  else {
    known.firstAhead = peopleAhead;
    remember(firstKey(), `${number}:${peopleAhead}`);
  }
}

/** Refreshes the facts of the event; stops if there is no shop. */
async function pollEvent(): Promise<void> {
  for (;;) {
    if (!document.hidden && isInLine()) {
      const event = await readEvent();
      if (event === 'none') return;
      if (event !== undefined) change({ event });
    }
    await new Promise((resolve) => setTimeout(resolve, jitter(EVENT_EVERY_SECONDS)));
  }
}

async function readEvent(): Promise<EventFacts | 'none' | undefined> {
  try {
    const response = await fetch(`/api/events/${eventId}`);
    if (response.status === 404) return 'none';
    const { title, currency, prices, seats, standing } = (await response.json()) as EventAnswer;
    const left = standing.reduce((sum, { remaining }) => sum + remaining, seats.remaining);
    return { title, currency, prices, left };
  } catch {
    return undefined;
  }
}

function change(part: Change): void {
  known = { ...known, ...part } as Known;
  show();
}

function show(): void {
  const { common, waiting } = catalogue[language];
  const names = withTheme('common', language, common);
  const texts = withTheme('waiting', language, waiting);
  const words = { texts: { ...names, ...texts }, language, now: Date.now(), zone: 'own' as const };
  const alert = { off: texts.alertAsk, sound: texts.alertSilent, all: texts.alertOn }[alerting()];
  render(
    toView(known, words),
    {
      language,
      brand: names.brand,
      otherLanguage: names.language,
      progressLabel: texts.progress,
      labels: { enter: texts.enter, join: texts.join, leave: texts.leave, alert },
    },
    act,
  );
  element('question-title').textContent = texts.leaveQuestion;
  element('question-text').textContent = texts.leaveWarning;
  element('question-yes').textContent = texts.leaveYes;
  element('question-no').textContent = texts.leaveNo;
}

/** The waiting page of an event: joins the line, shows the visitor's place, and goes to the target when admitted. */
import '../waiting.css';
import { toWantedPage } from '../../../http/wanted-page.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import { ticketsLeft } from '../../../shop/rules/event-phase.ts';
import {
  chooseLanguage,
  jitter,
  ownPage,
  readVisitorLanguage,
  recall,
  remember,
  withTheme,
} from '../../design/browser.ts';
import { formatDuration } from '../../texts/format.ts';
import { fill, type VisitorLanguage } from '../../texts/language.ts';
import { alerting, announce, enableAlerts } from '../announce.ts';
import { loadTexts } from '../load-texts.ts';
import type { Action } from '../page-view.ts';
import { element, render, setText } from '../render.ts';
import { LineClient, type News } from './line-client.ts';
import { type EventFacts, type Known, toView } from './line-view.ts';
import { type Rise, trackRise } from './rise.ts';

type Change = { [Key in keyof Known]?: Known[Key] | undefined };

const eventId = location.pathname.split('/')[2]!;
const wanted = toWantedPage(new URLSearchParams(location.search).get('to'));
const LEFT = '#left';
const EVENT_EVERY_SECONDS = 20;
/** Time for the alert to be heard before the page changes. */
const ALERT_MS = 1_500;
/** A page hidden for longer than this reconnects. */
const RECONNECT_AFTER_MS = 10_000;

/** When the time left to enter is announced, in seconds. */
const ANNOUNCED_SECONDS = [120, 60, 30, 10];

let language = readVisitorLanguage();
let texts = await loadTexts(language);
let known: Known = { eventId, mode: location.hash === LEFT ? 'left' : 'joining' };
let hiddenAt = 0;
let isEventSettled = false;
let rise: Rise | undefined;
let announcedSeconds = Number.POSITIVE_INFINITY;

const line = new LineClient(eventId, wanted, handle);

element('language').addEventListener('change', async () => {
  language = element<HTMLSelectElement>('language').value as VisitorLanguage;
  chooseLanguage(language);
  texts = await loadTexts(language);
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
// Countdowns, and how old the figures are.
setInterval(() => {
  if (known.mode === 'ready') announceTimeLeft();
  if (known.mode === 'ready' || known.mode === 'waiting') show();
}, 1_000);

function handle(news: News): void {
  if (news.kind === 'redirect') location.replace(news.to);
  else if (news.kind === 'turn') goIn(wanted ?? ownPage(news.target));
  else if (news.kind === 'lost') change({ trouble: { kind: navigator.onLine ? 'lost' : 'offline' } });
  else if (news.kind === 'checking') change({ mode: 'checking', trouble: undefined });
  else if (news.kind === 'busy') change({ trouble: { kind: 'busy', seconds: news.seconds } });
  else {
    if (news.kind === 'place') notePlace(news.place);
    if (news.kind === 'room') announceOpening(news.room.state);
    if (news.kind === 'ready' && known.mode !== 'ready') announceTurn();
    if (news.kind === 'over') forgetPlace(news.how);
    change({ ...learn(news), heardAt: Date.now(), trouble: undefined });
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
  announcedSeconds = Number.POSITIVE_INFINITY;
  announce(texts.waiting.turnTitle, known.event?.title ?? '');
}

function announceOpening(state: string): void {
  if (known.room?.state === 'not_open' && state === 'open') announce(texts.waiting.opened, known.event?.title ?? '');
}

/** To screen readers, as time runs out: each step once. */
function announceTimeLeft(): void {
  const seconds = Math.ceil((Date.parse(known.place?.enterBy ?? '') - Date.now()) / 1000);
  const step = ANNOUNCED_SECONDS.findLast((each) => seconds <= each);
  if (step === undefined || step >= announcedSeconds) return;
  announcedSeconds = step;
  const { waiting } = texts;
  setText('announce', fill(waiting.timeLeftSay, { time: formatDuration(seconds, waiting) }));
}

function isInLine(): boolean {
  return ['joining', 'checking', 'waiting', 'ready'].includes(known.mode);
}

function firstKey(): string {
  return `fairline-first-${eventId}`;
}

/**
 * How many were ahead at first is remembered while the number stays the same. The progress does not move back unless the
 * line says why.
 */
function notePlace(place: Extract<News, { kind: 'place' }>['place']): void {
  const { number, peopleAhead, waitChange } = place;
  rise = trackRise(rise, place);
  if (rise !== undefined) known.hasRisen = rise.hasRisen;
  if (number === undefined || peopleAhead === undefined) return;
  const [keptNumber, kept] = (recall(firstKey()) ?? '').split(':').map(Number);
  const isSame = keptNumber === number && kept !== undefined;
  const first = isSame ? kept : peopleAhead;
  if (!isSame) remember(firstKey(), `${number}:${first}`);
  const progress = first > 0 ? Math.min(1, Math.max(0, 1 - peopleAhead / first)) : 1;
  const mayFall = !isSame || waitChange !== undefined || known.progress === undefined;
  known.progress = mayFall ? progress : Math.max(progress, known.progress!);
}

/** Refreshes the facts of the event; stops if there is no shop. */
async function pollEvent(): Promise<void> {
  for (;;) {
    if (!document.hidden && isInLine()) {
      const event = await readEvent();
      isEventSettled = true;
      show();
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
    const event = (await response.json()) as EventAnswer;
    return { ...event, left: ticketsLeft(event) };
  } catch {
    return undefined;
  }
}

function change(part: Change): void {
  known = { ...known, ...part } as Known;
  show();
}

function show(): void {
  const names = withTheme('common', language, texts.common);
  const waiting = withTheme('waiting', language, texts.waiting);
  const zone = 'own' as const;
  const words = { texts: { ...names, ...waiting }, language, now: Date.now(), zone, origin: location.origin };
  const alert = { off: waiting.alertAsk, sound: waiting.alertSilent, all: waiting.alertOn }[alerting()];
  render(
    toView(known, words),
    {
      language,
      brand: names.brand,
      progressLabel: waiting.progress,
      labels: { enter: waiting.enter, join: waiting.join, leave: waiting.leave, alert },
      questions: withTheme('questions', language, texts.questions),
    },
    act,
  );
  // What is below the status appears at once and then stays where it is.
  const isJoining = known.mode === 'joining' || known.mode === 'checking';
  document.body.classList.toggle('loading', isJoining || (known.mode === 'waiting' && !isEventSettled));
  setText('question-title', waiting.leaveQuestion);
  setText('question-text', waiting.leaveWarning);
  setText('question-yes', waiting.leaveYes);
  setText('question-no', waiting.leaveNo);
}

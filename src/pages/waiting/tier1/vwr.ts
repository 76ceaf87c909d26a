/**
 * The tier 1 waiting page: takes a number, waits, and goes on to the site. Until the turn is near it polls the public
 * status, which a CDN can cache for everyone. It keeps its place and retries on every failure.
 */
import '../waiting.css';
import { toWantedPage, withWantedPage } from '../../../http/wanted-page.ts';
import type { EventAnswer } from '../../../shop/http/event-answer.ts';
import { chooseLanguage, jitter, readVisitorLanguage, recall, remember, withTheme } from '../../design/browser.ts';
import * as en from '../../texts/en.ts';
import * as ja from '../../texts/ja.ts';
import * as ko from '../../texts/ko.ts';
import type { VisitorLanguage } from '../../texts/language.ts';
import * as zhHans from '../../texts/zh-hans.ts';
import { alerting, announce, enableAlerts } from '../announce.ts';
import { loadTexts } from '../load-texts.ts';
import { type Challenge, type Solved, solveChallenge } from '../proof/solve-challenge.ts';
import { element, render } from '../render.ts';
import { countAhead, type Tier1Known, type Tier1Place, type Tier1Saying, toTier1View } from './tier1-view.ts';

type Place = Tier1Place & { requestId: string };

/** Carries the server's retry-after. */
class Refusal extends Error {
  readonly retryAfter: number | undefined;
  constructor(status: number, retryAfter: number | undefined) {
    super(`answered ${status}`);
    this.retryAfter = status === 429 ? retryAfter : undefined;
  }
}

const eventId = location.pathname.split('/')[2]!;
const query = new URLSearchParams(location.search);
const placeKey = `urr-vwr-${eventId}`;
const NEAR = 50;
const MAX_PAUSE_SECONDS = 60;
const MAX_PROOFS = 5;

/** Small, and of this page only. Named one by one, to keep the texts of other pages out of the bundle. */
const tier1Texts = { ko: ko.tier1, en: en.tier1, ja: ja.tier1, 'zh-Hans': zhHans.tier1 };

/** Time for the alert to be heard before the page changes. */
const ALERT_MS = 1_500;

let language = readVisitorLanguage();
let texts = await loadTexts(language);
let place = query.has('again') ? undefined : readPlace();
let saying: Tier1Saying = { text: 'taking' };
let event: Tier1Known['event'];
let heardAt: number | undefined;
let failures = 0;
let hasAskedForEvent = false;
let isEventSettled = false;
let wake = () => {};

show();
element('language').addEventListener('change', async () => {
  language = element<HTMLSelectElement>('language').value as VisitorLanguage;
  chooseLanguage(language);
  texts = await loadTexts(language);
  show();
});
// A device that wakes up or comes back online polls at once.
document.addEventListener('visibilitychange', () => document.hidden || wake());
addEventListener('online', () => wake());
addEventListener('pageshow', (event) => event.persisted && wake());
// How old the figures are.
setInterval(show, 1_000);
void run();

async function run(): Promise<never> {
  let pause = await attempt(take);
  for (;;) {
    await rest(pause);
    pause = await attempt(place === undefined ? take : isNear(place) ? check : look);
  }
}

/** Runs one step and returns the seconds until the next. Failures back off exponentially. */
async function attempt(step: () => Promise<number>): Promise<number> {
  try {
    const pause = await step();
    failures = 0;
    return pause;
  } catch (error) {
    failures += 1;
    const asked = error instanceof Refusal ? error.retryAfter : undefined;
    say(asked === undefined ? { text: 'trouble' } : { busySeconds: asked });
    return asked ?? Math.min(MAX_PAUSE_SECONDS, 2 ** failures);
  }
}

/** While others from the same address come too, the price rises: a proof can be too cheap when it arrives. */
async function take(solved?: Solved, proofs = 0): Promise<number> {
  if (place === undefined && proofs === 0) say({ text: 'taking' });
  const { status, body, retryAfter } = await request('POST', 'assign', solved);
  if (status === 404) return leave();
  if (status === 429 && body.challenge !== undefined && proofs < MAX_PROOFS) {
    say({ text: 'working' });
    return take(await solveChallenge(body.challenge as Challenge), proofs + 1);
  }
  if (status !== 200) throw new Refusal(status, retryAfter);
  const { requestId, position, servingCounter, estimatedWait } = body as unknown as Assigned;
  const from = place?.requestId === requestId ? place.from : servingCounter;
  const perSecond = paceOf(position - servingCounter, estimatedWait);
  return wait({ requestId, position, from, serving: servingCounter, perSecond });
}

async function check(): Promise<number> {
  const { status, body, retryAfter } = await request('GET', `check/${place!.requestId}`);
  if (status === 404) {
    forgetPlace();
    return 0;
  }
  if (status !== 200) throw new Refusal(status, retryAfter);
  if (body.admitted) return leave();
  const { position, servingCounter, estimatedWait } = body as unknown as Assigned;
  const perSecond = paceOf(position - servingCounter, estimatedWait) || place!.perSecond;
  return wait({ ...place!, serving: servingCounter, perSecond });
}

async function look(): Promise<number> {
  const { status, body, retryAfter } = await request('GET', 'status');
  if (status !== 200) throw new Refusal(status, retryAfter);
  if (!body.isActive) return check();
  const moved = { ...place!, serving: body.serving as number };
  const pause = wait(moved);
  return isNear(moved) ? check() : pause;
}

function wait(now: Place): number {
  place = now;
  heardAt = Date.now();
  remember(placeKey, JSON.stringify(place));
  say({ text: 'waiting' });
  void readEvent();
  return pollSeconds(countAhead(place));
}

/** Goes on to the line, which sends the visitor to the wanted page. */
function leave(): number {
  const hasWaited = place !== undefined;
  forgetPlace();
  say({ text: 'turn' });
  if (hasWaited) announce(texts.waiting.turnTitle, event?.title ?? '');
  const goOn = () => location.replace(withWantedPage(`/queue/${eventId}`, toWantedPage(query.get('to'))));
  setTimeout(goOn, hasWaited && alerting() !== 'off' ? ALERT_MS : 0);
  return MAX_PAUSE_SECONDS;
}

/** What the event is, once: the page waits without it, and where there is no shop. */
async function readEvent(): Promise<void> {
  if (hasAskedForEvent) return;
  hasAskedForEvent = true;
  try {
    const response = await fetch(`/api/events/${eventId}`);
    if (response.ok) event = (await response.json()) as EventAnswer;
  } catch {}
  isEventSettled = true;
  show();
}

interface Assigned {
  requestId: string;
  position: number;
  servingCounter: number;
  estimatedWait: number;
}

async function request(method: string, what: string, body?: object) {
  const [verb, ...rest] = what.split('/');
  const response = await fetch(['/vwr', verb, eventId, ...rest].join('/'), {
    method,
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  // A refusal may have no body. An answer that was cut off fails here, and the step is tried again.
  const answer: Record<string, unknown> = response.ok ? await response.json() : await response.json().catch(() => ({}));
  return { status: response.status, body: answer, retryAfter };
}

function rest(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, jitter(seconds));
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function pollSeconds(count: number): number {
  if (count <= 500) return 2;
  if (count <= 2_000) return 5;
  return count <= 10_000 ? 10 : 15;
}

function paceOf(count: number, seconds: number): number {
  return count > 0 && seconds > 0 ? count / seconds : 0;
}

function isNear(now: Place): boolean {
  return countAhead(now) <= Math.max(NEAR, 3 * now.perSecond);
}

function say(next: Tier1Saying): void {
  saying = next;
  show();
}

function show(): void {
  const common = withTheme('common', language, texts.common);
  const waiting = withTheme('waiting', language, texts.waiting);
  const tier1 = withTheme('tier1', language, tier1Texts[language]);
  const words = { tier1, waiting, common, language, now: Date.now(), zone: 'own' as const };
  const alert = { off: waiting.alertAsk, sound: waiting.alertSilent, all: waiting.alertOn }[alerting()];
  render(
    toTier1View({ eventId, place, saying, event, heardAt }, words),
    {
      language,
      brand: common.brand,
      progressLabel: waiting.progress,
      labels: { enter: '', join: '', leave: '', alert },
      questions: withTheme('questions', language, texts.questions),
    },
    () => void enableAlerts().then(show, show),
  );
  // What is below the status appears at once and then stays where it is.
  document.body.classList.toggle('loading', !isEventSettled);
}

function readPlace(): Place | undefined {
  try {
    const kept = JSON.parse(recall(placeKey) ?? 'null');
    return typeof kept?.requestId === 'string' && kept.position > 0 ? kept : undefined;
  } catch {
    return undefined;
  }
}

function forgetPlace(): void {
  place = undefined;
  remember(placeKey, undefined);
}

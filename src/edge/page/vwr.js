/**
 * The page before the site: takes a number, waits, and goes on when it is its turn. It asks the public status, which a
 * cache can answer for everybody, until its turn is near. Whatever happens it keeps its place and tries again.
 */
const words = {
  ko: {
    title: '대기실',
    other: 'English',
    number: '내 번호',
    ahead: '내 앞에 있는 사람',
    time: '예상 대기 시간',
    people: (count) => `${count.toLocaleString('ko')}명`,
    soon: '1분 미만',
    minutes: (count) => `약 ${count.toLocaleString('ko')}분`,
    taking: '번호를 받는 중입니다…',
    working: '잠시 확인하고 있습니다. 창을 닫지 마세요…',
    waiting: '차례가 되면 자동으로 이동합니다.',
    turn: '차례가 되었습니다. 이동합니다…',
    trouble: '연결이 원활하지 않습니다. 번호는 그대로 유지되며, 자동으로 다시 시도합니다.',
    busy: (seconds) => `요청이 많습니다. ${seconds}초 후에 다시 시도합니다.`,
    hint: '이 페이지를 닫거나 기기를 재워도 같은 브라우저로 다시 열면 번호가 유지됩니다. 새로고침할 필요가 없습니다.',
  },
  en: {
    title: 'Waiting room',
    other: '한국어',
    number: 'Your number',
    ahead: 'People ahead of you',
    time: 'Expected wait',
    people: (count) => count.toLocaleString('en'),
    soon: 'less than a minute',
    minutes: (count) => `about ${count.toLocaleString('en')} min`,
    taking: 'Taking a number…',
    working: 'One moment, your browser is being checked. Please keep this page open…',
    waiting: 'You go on automatically when it is your turn.',
    turn: 'It is your turn. Taking you on…',
    trouble: 'The connection is unsteady. You keep your number; we go on trying.',
    busy: (seconds) => `Many are asking right now. Trying again in ${seconds} s.`,
    hint: 'You may close this page or let the device sleep: open it again in this browser and you have the same number. There is no need to reload.',
  },
};

const eventId = location.pathname.split('/')[2];
const query = new URLSearchParams(location.search);
const placeKey = `urr-vwr-${eventId}`;
const NEAR = 50;
const MOST_PAUSE_SECONDS = 60;

let language = recall('fairline-language') || (/^ko/i.test(navigator.language) ? 'ko' : 'en');
let place = query.has('again') ? undefined : readPlace();
/** What is being said: the name of a word, and a number where it needs one. */
let saying = ['taking'];
let failures = 0;
let wake = () => {};

const element = (id) => document.getElementById(id);

show();
element('language').addEventListener('click', () => {
  language = language === 'ko' ? 'en' : 'ko';
  remember('fairline-language', language);
  show();
});
// A device that slept, or a connection that came back, asks at once instead of at its next time.
document.addEventListener('visibilitychange', () => document.hidden || wake());
addEventListener('online', () => wake());
addEventListener('pageshow', (event) => event.persisted && wake());
run();

async function run() {
  let pause = await attempt(take);
  for (;;) {
    await rest(pause);
    pause = await attempt(place === undefined ? take : isNear() ? check : look);
  }
}

/** One step; the seconds until the next. Whatever goes wrong is tried again, later each time. */
async function attempt(step) {
  try {
    const pause = await step();
    failures = 0;
    return pause;
  } catch (error) {
    failures += 1;
    const asked = error.retryAfter;
    say(asked === undefined ? 'trouble' : 'busy', asked);
    return asked ?? Math.min(MOST_PAUSE_SECONDS, 2 ** failures);
  }
}

async function take(solved) {
  if (place === undefined) say('taking');
  const { status, body } = await ask('POST', 'assign', solved);
  if (status === 404) return leave();
  if (status === 429 && body.challenge !== undefined && solved === undefined && crypto.subtle !== undefined) {
    say('working');
    return take(await solve(body.challenge));
  }
  if (status !== 200) throw refusal(status, body);
  const { requestId, position, servingCounter, estimatedWait } = body;
  const from = place?.requestId === requestId ? place.from : servingCounter;
  place = {
    requestId,
    position,
    from,
    serving: servingCounter,
    perSecond: paceOf(position - servingCounter, estimatedWait),
  };
  return wait();
}

async function check() {
  const { status, body } = await ask('GET', `check/${place.requestId}`);
  if (status === 404) {
    forgetPlace();
    return 0;
  }
  if (status !== 200) throw refusal(status, body);
  if (body.admitted) return leave();
  place.serving = body.servingCounter;
  place.perSecond = paceOf(body.position - body.servingCounter, body.estimatedWait) || place.perSecond;
  return wait();
}

async function look() {
  const { status, body } = await ask('GET', 'status');
  if (status !== 200) throw refusal(status, body);
  if (!body.isActive) return check();
  place.serving = body.serving;
  return isNear() ? check() : wait();
}

function wait() {
  remember(placeKey, JSON.stringify(place));
  say('waiting');
  return pollSeconds(ahead());
}

/** On to where the visitor wanted to go: a path of this site, whatever the query says. */
function leave() {
  forgetPlace();
  say('turn');
  document.title = `● ${words[language].turn}`;
  location.replace(targetOf(query.get('to')) ?? `/queue/${eventId}`);
  return MOST_PAUSE_SECONDS;
}

function targetOf(path) {
  if (path === null || !/^\/[^/\\]/.test(path)) return undefined;
  const url = new URL(path, location.origin);
  return url.origin === location.origin ? url.href : undefined;
}

async function ask(method, what, body) {
  const [verb, ...rest] = what.split('/');
  const path = ['/vwr', verb, eventId, ...rest].join('/');
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  const answer = await response.json().catch(() => ({}));
  return { status: response.status, body: { ...answer, retryAfter } };
}

function refusal(status, body) {
  return Object.assign(new Error(`answered ${status}`), { retryAfter: status === 429 ? body.retryAfter : undefined });
}

/** ALTCHA's proof of work: the number whose hash, behind nonce and salt, begins with the wanted digits. */
async function solve(challenge) {
  const { nonce, salt, keyPrefix } = challenge.parameters;
  const fixed = bytesOf(salt + nonce);
  const text = new Uint8Array(fixed.length + 4);
  text.set(fixed);
  const view = new DataView(text.buffer);
  for (let counter = 0; ; counter += 1) {
    view.setUint32(fixed.length, counter);
    const key = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
    if (!hexOf(key.subarray(0, 4)).startsWith(keyPrefix)) continue;
    return { challenge, solution: { counter, derivedKey: hexOf(key) } };
  }
}

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Everybody waits a little longer or shorter than told, so that they do not come all at once. */
function rest(seconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000 * (0.75 + Math.random() / 2));
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function pollSeconds(count) {
  if (count <= 500) return 2;
  if (count <= 2_000) return 5;
  return count <= 10_000 ? 10 : 15;
}

function paceOf(count, seconds) {
  return count > 0 && seconds > 0 ? count / seconds : 0;
}

function ahead() {
  return Math.max(0, place.position - place.serving);
}

function isNear() {
  return ahead() <= Math.max(NEAR, 3 * place.perSecond);
}

function say(name, number) {
  saying = [name, number];
  show();
}

function show() {
  const text = words[language];
  document.documentElement.lang = language;
  setText('title', text.title);
  setText('language', text.other);
  setText('number-label', text.number);
  setText('ahead-label', text.ahead);
  setText('time-label', text.time);
  setText('hint', text.hint);
  const [name, number] = saying;
  setText('say', typeof text[name] === 'function' ? text[name](number) : text[name]);
  element('say').classList.toggle('trouble', name === 'trouble' || name === 'busy');
  for (const id of ['language', 'say', 'hint']) element(id).hidden = false;
  element('waiting').hidden = place === undefined;
  if (place !== undefined) showPlace(text);
}

function showPlace(text) {
  const count = ahead();
  const minutes = place.perSecond > 0 ? Math.ceil(count / place.perSecond / 60) : 0;
  setText('number', place.position.toLocaleString(language));
  setText('ahead', text.people(Math.max(0, count - 1)));
  setText('time', minutes <= 1 ? text.soon : text.minutes(minutes));
  const span = place.position - place.from;
  element('progress').value = span > 0 ? 1 - count / span : 1;
  if (saying[0] === 'waiting') document.title = `${text.people(Math.max(0, count - 1))} · ${text.title}`;
}

/** Only where it changes: a screen reader reads out what was set, changed or not. */
function setText(id, text) {
  if (element(id).textContent !== text) element(id).textContent = text;
}

function readPlace() {
  try {
    const kept = JSON.parse(recall(placeKey));
    return typeof kept?.requestId === 'string' && kept.position > 0 ? kept : undefined;
  } catch {
    return undefined;
  }
}

function forgetPlace() {
  place = undefined;
  remember(placeKey, '');
}

/** A browser may forbid it; the cookie keeps the place all the same. */
function remember(key, value) {
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {}
}

function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Verifies a draw in the visitor's browser. It fetches only the published data and recomputes the rest by the published
 * rule; it does not trust any result the server states.
 */
const LOT = /^[0-9a-f]{32}$/;
const HASHES_AT_ONCE = 2_000;
/** Before the draw is done: the longest time between two requests, and the jitter that spreads all pages. */
const LONGEST_WAIT_MS = 60_000;
const SPREAD_MS = 8_000;

/** Runs every check. `onProgress` gets the share of the order keys computed so far. */
export async function checkDraw(draw, list, { lot, notedCommitment, onProgress = () => {} } = {}) {
  const lots = list.split('\n').filter((line) => line !== '');
  const sorted = [...lots].sort();
  const seed = fromHex(draw.seed);
  const listHash = await sha256(encode(sorted.map((line) => `${line}\n`).join('')));
  const isWellFormed = lots.every((line) => LOT.test(line)) && new Set(lots).size === lots.length;
  const checks = [
    { name: 'seedMatches', ok: toHex(await sha256(seed)) === draw.commitment },
    { name: 'listMatches', ok: isWellFormed && lots.length === draw.entries && toHex(listHash) === draw.listHash },
  ];
  if (notedCommitment) checks.unshift({ name: 'commitmentKept', ok: notedCommitment === draw.commitment });
  const number = await drawnNumber(draw, sorted, await sha256(concat(seed, listHash)), lot, onProgress);
  return { checks, number, ok: checks.every(({ ok }) => ok) };
}

/** One number behind every lot with a smaller order key; undefined if the lot did not take part. */
async function drawnNumber(draw, lots, drawKey, lot, onProgress) {
  if (!lots.includes(lot)) return undefined;
  const orderKeyOf = async (each) => toHex(await sha256(concat(drawKey, encode(each))));
  const own = await orderKeyOf(lot);
  let before = 0;
  for (let from = 0; from < lots.length; from += HASHES_AT_ONCE) {
    const slice = lots.slice(from, from + HASHES_AT_ONCE);
    const orderKeys = await Promise.all(slice.map(orderKeyOf));
    for (const [index, key] of orderKeys.entries()) {
      if (key < own || (key === own && slice[index] < lot)) before += 1;
    }
    onProgress(Math.min(1, (from + HASHES_AT_ONCE) / lots.length));
  }
  return draw.firstNumber + before;
}

const encode = (text) => new TextEncoder().encode(text);
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const fromHex = (hex) => Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function concat(first, second) {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

const TEXTS = {
  en: {
    title: 'Check the draw',
    about:
      'Places in line are drawn at random when sales open. Your browser recomputes the draw from the published data, so you do not have to trust this server.',
    brand: 'Fairline',
    step1: 'Before the draw, the organiser publishes the fingerprint of a secret seed. It can no longer be changed.',
    step2:
      'At the time of the draw, everyone who is waiting takes part with one lot. The order of arrival does not count.',
    step3:
      'The seed is published. Seed and lots give everyone’s number, and anyone can recompute it here with one button.',
    event: 'Event',
    opens: 'Time of the draw',
    commitment: 'Commitment: the fingerprint of the seed, published before the draw',
    lot: 'Your lot',
    lotHelp: '32 characters, 0-9 and a-f, shown on the waiting page. Leave it empty to check only the draw as a whole.',
    check: 'Check',
    announced:
      'The draw has not taken place yet. Your browser has noted the commitment and will compare it afterwards. This page updates automatically when the draw is done; you can also come back later.',
    drawing: 'The draw is in progress. This page updates automatically when it is done.',
    loading: 'Loading the list of lots …',
    computing: (share) => `Computing ${Math.round(share * 100)} % …`,
    badLot: 'This is not a valid lot. A lot has 32 characters, 0-9 and a-f.',
    noDraw: 'This event has no draw.',
    failed: 'The server cannot be reached. Please try again.',
    insecure: 'Browsers compute hashes only on secure pages. Open this page with https.',
    commitmentKept: 'The commitment is the one your browser noted before the draw',
    seedMatches: 'The published seed matches the commitment',
    listMatches: (draw) => `The list of all ${draw.entries.toLocaleString('en')} lots matches its fingerprint`,
    numberMatches: (number) => `This server gave you number ${number}`,
    commitmentKeptNot: 'The commitment is NOT the one your browser noted before the draw',
    seedMatchesNot: 'The published seed does NOT match the commitment',
    listMatchesNot: 'The published list does NOT match its fingerprint',
    numberMatchesNot: (number) =>
      `This server gave you number ${number}, which is NOT the number computed from the seed`,
    verdict: 'Checked: the draw is correct.',
    verdictNumber: (number) => `Checked: the published seed gives you number ${number}.`,
    notOnList: 'This lot did not take part in the draw.',
    wrong: 'The draw does NOT match the published data. Save a copy of this page and contact the organiser.',
  },
  ko: {
    title: '추첨 확인',
    about:
      '대기 번호는 예매가 시작될 때 추첨으로 정해집니다. 이 서버를 믿지 않아도 되도록 브라우저가 공개된 값만으로 추첨을 다시 계산합니다.',
    brand: 'Fairline',
    step1: '추첨 전에 비밀 시드의 지문을 공개합니다. 이후에는 시드를 바꿀 수 없습니다.',
    step2: '추첨 시각에 대기 중인 모든 분이 응모 번호 하나로 참여합니다. 먼저 온 순서는 영향을 주지 않습니다.',
    step3:
      '시드를 공개합니다. 시드와 응모 번호로 모두의 대기 번호가 정해지며, 누구나 버튼 하나로 다시 계산할 수 있습니다.',
    event: '공연',
    opens: '추첨 시각',
    commitment: '커밋먼트: 미리 공개한 시드의 지문',
    lot: '내 응모 번호',
    lotHelp: '0-9와 a-f로 된 32자이며 대기 화면에 표시됩니다. 비워 두면 추첨 전체만 확인합니다.',
    check: '확인하기',
    announced:
      '아직 추첨 전입니다. 브라우저가 커밋먼트를 기억해 두었다가 추첨 후에 비교합니다. 추첨이 끝나면 화면이 자동으로 갱신되며, 나중에 다시 열어도 됩니다.',
    drawing: '추첨이 진행 중입니다. 끝나면 화면이 자동으로 갱신됩니다.',
    loading: '응모 목록을 불러오는 중 …',
    computing: (share) => `계산 중 ${Math.round(share * 100)} % …`,
    badLot: '응모 번호 형식이 아닙니다. 0-9와 a-f로 된 32자여야 합니다.',
    noDraw: '이 공연에는 추첨이 없습니다.',
    failed: '서버에 연결할 수 없습니다. 다시 시도해 주세요.',
    insecure: '브라우저는 보안 연결에서만 해시를 계산합니다. https로 열어 주세요.',
    commitmentKept: '추첨 전에 브라우저가 기억한 커밋먼트와 같습니다',
    seedMatches: '공개된 시드가 커밋먼트와 일치합니다',
    listMatches: (draw) => `응모 ${draw.entries.toLocaleString('ko')}건의 목록이 지문과 일치합니다`,
    numberMatches: (number) => `이 서버가 알려 준 번호는 ${number}번입니다`,
    commitmentKeptNot: '추첨 전에 브라우저가 기억한 커밋먼트와 다릅니다',
    seedMatchesNot: '공개된 시드가 커밋먼트와 일치하지 않습니다',
    listMatchesNot: '공개된 목록이 지문과 일치하지 않습니다',
    numberMatchesNot: (number) => `이 서버가 알려 준 ${number}번은 시드로 계산한 번호와 다릅니다`,
    verdict: '확인 완료: 추첨이 올바릅니다.',
    verdictNumber: (number) => `확인 완료: 내 번호 ${number}번은 공개된 시드로 계산한 결과와 같습니다.`,
    notOnList: '추첨에 참여하지 않은 응모 번호입니다.',
    wrong: '추첨이 공개된 값과 다릅니다. 이 화면을 저장하고 주최자에게 알려 주세요.',
  },
};

if (typeof document !== 'undefined') start();

function start() {
  const eventId = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '');
  const find = (id) => document.getElementById(id);
  // The choice is the one of all pages.
  const chosen = /(?:^|; )fairline-language=(\w+)/.exec(document.cookie)?.[1];
  let language = chosen in TEXTS ? chosen : navigator.language.startsWith('ko') ? 'ko' : 'en';
  /** What is shown now, kept to render it again in the other language. */
  let shown = { draw: undefined, status: undefined, result: undefined };
  /** Of the event, where there is a shop. */
  let title;
  /** The lot and number that the server gave this visitor. */
  let given;
  let timer;

  const say = (key, ...values) => {
    const text = TEXTS[language][key];
    return typeof text === 'function' ? text(...values) : text;
  };

  function render() {
    const { draw, status, result } = shown;
    document.documentElement.lang = language;
    document.title = say('title');
    for (const element of document.querySelectorAll('[data-text]')) element.textContent = say(element.dataset.text);
    for (const button of document.querySelectorAll('[data-language]')) {
      button.setAttribute('aria-pressed', String(button.dataset.language === language));
    }
    find('facts').hidden = draw === undefined;
    find('form').hidden = draw?.state !== 'drawn';
    if (draw !== undefined) {
      find('event').textContent = title ?? eventId;
      const locale = navigator.languages.find((each) => each.startsWith(language)) ?? language;
      find('opens').textContent = new Date(draw.opensAt).toLocaleString(locale, {
        dateStyle: 'full',
        timeStyle: 'short',
      });
      find('commitment').textContent = draw.commitment;
    }
    find('status').textContent = status === undefined ? '' : say(...status);
    find('checks').hidden = result === undefined;
    find('verdict').hidden = result === undefined;
    if (result !== undefined) renderResult(draw, result);
  }

  function renderResult(draw, { checks, ok, verdict }) {
    find('checks').replaceChildren(
      ...checks.map(({ name, ok: isGood, value }) => {
        const item = document.createElement('li');
        item.className = isGood ? 'good' : 'bad';
        item.textContent = say(isGood ? name : `${name}Not`, value ?? draw);
        return item;
      }),
    );
    find('verdict').className = ok ? 'good' : 'bad';
    find('verdict').textContent = say(...verdict);
    find('verdict').scrollIntoView({ block: 'center' });
  }

  function show(changes) {
    shown = { ...shown, ...changes };
    render();
  }

  async function load() {
    if (globalThis.crypto?.subtle === undefined) return show({ status: ['insecure'] });
    // The response is cacheable for some seconds, but a visitor who reloads wants the current state.
    const response = await fetch(`/api/rooms/${encodeURIComponent(eventId)}/draw`, { cache: 'no-cache' });
    if (response.status === 404) return show({ status: ['noDraw'] });
    if (!response.ok) return show({ status: ['failed'] });
    const draw = await response.json();
    if (draw.state === 'announced') localStorage.setItem(`draw ${eventId}`, draw.commitment);
    show({ draw, status: draw.state === 'drawn' ? undefined : [draw.state] });
    if (draw.state === 'drawn') await fillLot();
  }

  /** Until the draw is done: reloads about when it should be, jittered, and when the page becomes visible. */
  async function follow() {
    clearTimeout(timer);
    if (shown.draw?.state === 'drawn') return;
    await orFail(load);
    if (shown.draw?.state === 'drawn' || shown.status?.[0] === 'noDraw') return;
    const untilDraw = Math.max(0, Date.parse(shown.draw?.opensAt) - Date.now() || 0);
    timer = setTimeout(follow, Math.min(LONGEST_WAIT_MS, untilDraw) + 1_000 + Math.random() * SPREAD_MS);
  }

  /** Fills in the visitor's own lot if this browser has a place in the line. */
  async function fillLot() {
    const inFragment = location.hash.slice(1).toLowerCase();
    const response = await fetch(`/api/queue/status/${encodeURIComponent(eventId)}`).catch(() => undefined);
    const standing = response?.ok ? await response.json() : {};
    if (standing.drawLot) given = { lot: standing.drawLot, number: standing.number };
    find('lot').value = LOT.test(inFragment) ? inFragment : (standing.drawLot ?? '');
  }

  async function check() {
    const lot = find('lot').value.trim().toLowerCase();
    if (lot !== '' && !LOT.test(lot)) return show({ status: ['badLot'], result: undefined });
    const { draw } = shown;
    show({ status: ['loading'], result: undefined });
    const list = await (await fetch(draw.entriesUrl)).text();
    const notedCommitment = localStorage.getItem(`draw ${eventId}`);
    const onProgress = (share) => show({ status: ['computing', share] });
    const { checks, number, ok } = await checkDraw(draw, list, { lot, notedCommitment, onProgress });
    if (given?.lot === lot && number !== undefined) {
      checks.push({ name: 'numberMatches', ok: given.number === number, value: given.number });
    }
    const isRight = ok && checks.every((each) => each.ok);
    show({ status: undefined, result: { checks, ...toVerdict(isRight, lot, number) } });
  }

  function toVerdict(isRight, lot, number) {
    if (!isRight) return { ok: false, verdict: ['wrong'] };
    if (lot === '') return { ok: true, verdict: ['verdict'] };
    return number === undefined
      ? { ok: false, verdict: ['notOnList'] }
      : { ok: true, verdict: ['verdictNumber', number] };
  }

  async function readTitle() {
    const response = await fetch(`/api/events/${encodeURIComponent(eventId)}`).catch(() => undefined);
    if (!response?.ok) return;
    title = (await response.json()).title;
    render();
  }

  const orFail = (work) => work().catch(() => show({ status: ['failed'] }));
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      language = button.dataset.language;
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet.
      document.cookie = `fairline-language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
      render();
    });
  }
  find('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = event.target.querySelector('button');
    button.disabled = true;
    await orFail(check);
    button.disabled = false;
  });
  addEventListener('online', follow);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) follow();
  });
  render();
  void readTitle();
  follow();
}

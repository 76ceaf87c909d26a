/**
 * `/fairline.js`, for sites whose pages stay open without loading another: keeps the visitor's session alive while the page
 * is visible, shows the time left, and tells the page when the session ends. Small, because it is on every page of a site.
 */
interface Fairline {
  start(eventId: string): void;
  leave(): Promise<void>;
}

// biome-ignore lint/correctness/noUnusedVariables: it extends the global interface; a module could not be loaded as a plain script.
interface Window {
  fairline: Fairline;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const RETRY_MS = 5_000;

let eventId: string | undefined;
/** By the clock of this device. 0: not known yet. */
let endsAt = 0;
/** The most time that was ever left: the session length. */
let longestMs = 0;
let nextAt = 0;
let hasWarned = false;

window.fairline = {
  start(id) {
    eventId = id;
    endsAt = longestMs = nextAt = 0;
    hasWarned = false;
    tick();
  },
  async leave() {
    await post('leave').catch(() => {});
    end();
  },
};
setInterval(tick, SECOND_MS);
document.addEventListener('visibilitychange', tick);
const named = document.currentScript?.dataset.event;
if (named) window.fairline.start(named);

function tick(): void {
  if (!eventId) return;
  const now = Date.now();
  const leftMs = endsAt - now;
  const isOver = endsAt > 0 && leftMs <= 0;
  // A page that nobody sees is no sign of life. When its time is over, it asks once: another page may have been seen.
  if (now >= nextAt && (isOver || !document.hidden)) void beat(isOver);
  if (endsAt > 0) show(Math.max(0, Math.ceil(leftMs / SECOND_MS)));
  const isEnding = endsAt > 0 && leftMs <= Math.min(MINUTE_MS, longestMs / 3);
  if (isEnding && !hasWarned) tell('ending');
  hasWarned = isEnding;
}

async function beat(isOver: boolean): Promise<void> {
  const id = eventId;
  nextAt = Date.now() + RETRY_MS;
  try {
    const response = await post('heartbeat');
    const { status, expiresAt } = await response.json();
    if (!response.ok) throw response;
    if (id !== eventId) return;
    if (status !== 'active') return end();
    const now = Date.now();
    // The clock of this device may be wrong. Whole seconds, rounded down: the end never seems earlier than it is.
    const leftMs = Date.parse(expiresAt) - (Date.parse(response.headers.get('date') ?? '') || now);
    endsAt = now + leftMs;
    longestMs = Math.max(longestMs, leftMs);
    nextAt = now + Math.min(MINUTE_MS, longestMs / 5);
  } catch {
    if (isOver) end();
  }
}

function end(): void {
  if (!eventId) return;
  eventId = undefined;
  show(0);
  tell('ended');
}

function post(verb: string): Promise<Response> {
  return fetch(`/api/queue/${verb}/${encodeURIComponent(eventId!)}`, { method: 'POST' });
}

function show(secondsLeft: number): void {
  const text = `${Math.floor(secondsLeft / 60)}:${`${secondsLeft % 60}`.padStart(2, '0')}`;
  for (const element of document.querySelectorAll('[data-fairline-time]')) element.textContent = text;
  tell('time', secondsLeft);
}

function tell(what: string, secondsLeft?: number): void {
  dispatchEvent(new CustomEvent(`fairline:${what}`, { detail: { secondsLeft } }));
}

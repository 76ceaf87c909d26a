/**
 * The page's connection to the line: a stream, or polling where streams do not work. It retries until it succeeds and
 * reports every change, but never joins again without the visitor once the place is lost.
 */
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import { jitter } from '../../design/browser.ts';

export type News =
  | { kind: 'room'; room: Omit<PollAnswer['eventInfo'], 'eventId'> }
  | { kind: 'place'; place: Partial<PollAnswer> }
  | { kind: 'ready'; place: Partial<PollAnswer> }
  | { kind: 'turn' }
  | { kind: 'over'; how: 'left' | 'gone' | 'ended' }
  | { kind: 'refused'; why: 'closed' | 'no-event' | 'sign-in' }
  | { kind: 'redirect'; to: string }
  | { kind: 'lost' }
  | { kind: 'busy'; seconds: number };

/** Positions arrive at least every ten seconds; a stream silent for this long is dead. */
const SILENT_MS = 45_000;
const TIMEOUT_MS = 10_000;
const MAX_PAUSE_SECONDS = 60;
const REFUSALS: Readonly<Record<string, 'closed' | 'no-event' | 'sign-in'>> = {
  ROOM_CLOSED: 'closed',
  EVENT_NOT_FOUND: 'no-event',
  INVALID_INPUT: 'no-event',
  UNAUTHENTICATED: 'sign-in',
};

export class LineClient {
  readonly #eventId: string;
  readonly #emit: (news: News) => void;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isPlaced = false;
  #isOver = false;

  constructor(eventId: string, emit: (news: News) => void) {
    this.#eventId = eventId;
    this.#emit = emit;
  }

  /** Joins, or finds the existing place. */
  connect(): void {
    this.#stop();
    this.#isOver = false;
    const source = new EventSource(`/events/${this.#eventId}/tickets/waiting`);
    this.#source = source;
    const on = (name: string, handle: (data: never) => void) =>
      source.addEventListener(name, (event) => {
        if (this.#source !== source) return;
        this.#watchSilence();
        this.#failures = 0;
        handle(JSON.parse(event.data) as never);
      });
    on('room', (room: PollAnswer['eventInfo']) => this.#emit({ kind: 'room', room }));
    on('position', (place: Partial<PollAnswer>) => this.#place('place', place));
    on('ready', (place: Partial<PollAnswer>) => this.#place('ready', place));
    on('admitted', () => void this.#collect());
    on('gone', ({ reason }: { reason: string }) => this.#end(reason === 'ended' ? 'ended' : 'gone'));
    on('bye', ({ reason }: { reason: string }) => {
      if (reason === 'left') this.#end('left');
      // Another tab took over the stream; this one polls.
      else if (reason === 'replaced') this.#poll(0);
    });
    source.onerror = () => this.#source === source && this.#recover(source);
    this.#watchSilence();
  }

  /** Reconnects after sleep or loss of network: a stream that reports `open` may be dead. */
  refresh(): void {
    if (!this.#isOver) this.connect();
  }

  /** Enters a claim room. */
  async enter(): Promise<void> {
    await this.#request('POST', 'check');
  }

  async leave(): Promise<void> {
    const { status } = await send('DELETE', `/events/${this.#eventId}/tickets/waiting`);
    if (status === 200) this.#end('left');
    else this.#emit({ kind: 'lost' });
  }

  #place(kind: 'place' | 'ready', place: Partial<PollAnswer>): void {
    this.#isPlaced = true;
    this.#emit({ kind, place });
  }

  /** The browser reconnects unless the response was an error; then one poll finds out which. */
  #recover(source: EventSource): void {
    this.#emit({ kind: 'lost' });
    if (source.readyState === EventSource.CLOSED) this.#poll(0);
  }

  #watchSilence(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.connect(), SILENT_MS);
  }

  #poll(pauseMs: number): void {
    this.#stop();
    // Only the first request joins; a later one must not create a place that the visitor has lost.
    this.#timer = setTimeout(
      () => (this.#isPlaced ? this.#request('GET', 'status') : this.#request('POST', 'check')),
      pauseMs,
    );
  }

  /** A running stream cannot set cookies: one more request sets the one with the entry token. */
  async #collect(): Promise<void> {
    await this.#request('GET', 'status');
  }

  async #request(method: 'GET' | 'POST', verb: 'status' | 'check'): Promise<void> {
    const { status, body, retryAfter } = await send(method, `/api/queue/${verb}/${this.#eventId}`);
    if (this.#isOver) return;
    if (status === 200) return this.#accept(body as unknown as PollAnswer);
    const { error, redirectTo } = body as { error?: { code?: string }; redirectTo?: string };
    const why = REFUSALS[error?.code ?? ''];
    if (redirectTo !== undefined) return this.#finish({ kind: 'redirect', to: redirectTo });
    if (why !== undefined) return this.#finish({ kind: 'refused', why });
    this.#failures += 1;
    const pause = retryAfter ?? Math.min(MAX_PAUSE_SECONDS, 2 ** this.#failures);
    this.#emit(status === 429 ? { kind: 'busy', seconds: pause } : { kind: 'lost' });
    this.#poll(jitter(pause));
  }

  #accept(answer: PollAnswer): void {
    this.#failures = 0;
    this.#emit({ kind: 'room', room: answer.eventInfo });
    if (answer.status === 'active') this.#finish({ kind: 'turn' });
    else if (answer.status === 'not_in_queue') this.#end('gone');
    else {
      this.#place(answer.readyForEntry ? 'ready' : 'place', answer);
      if (this.#source === undefined) this.#poll(jitter(answer.nextPoll));
    }
  }

  #end(how: 'left' | 'gone' | 'ended'): void {
    this.#isPlaced = false;
    this.#finish({ kind: 'over', how });
  }

  #finish(news: News): void {
    this.#stop();
    this.#isOver = true;
    this.#emit(news);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }
}

interface Answer {
  /** 0: no response. */
  status: number;
  body: Record<string, unknown>;
  retryAfter: number | undefined;
}

async function send(method: string, path: string): Promise<Answer> {
  try {
    const response = await fetch(path, { method, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    return { status: response.status, body: await response.json(), retryAfter };
  } catch {
    return { status: 0, body: {}, retryAfter: undefined };
  }
}

/**
 * The page's connection to the line: a stream, or polling where streams do not work. It retries until it succeeds and
 * reports every change, but never joins again without the visitor once the place is lost.
 */

import { withWantedPage } from '../../../http/wanted-page.ts';
import type { PollAnswer } from '../../../line/http/poll-answer.ts';
import { jitter } from '../../design/browser.ts';
import { type Challenge, type Solved, solveChallenge } from '../proof/solve-challenge.ts';

type Why = 'closed' | 'no-event' | 'sign-in' | 'confirm' | 'banned' | 'not-allowed';
type How = 'left' | 'gone' | 'ended' | 'removed';

export type News =
  | { kind: 'room'; room: Omit<PollAnswer['eventInfo'], 'eventId'> }
  | { kind: 'place'; place: Partial<PollAnswer> }
  | { kind: 'ready'; place: Partial<PollAnswer> }
  /** `target`: what the line says. */
  | { kind: 'turn'; target: string | null }
  | { kind: 'over'; how: How }
  /** `page`: where the visitor can do something about it. */
  | { kind: 'refused'; why: Why; page?: string | undefined }
  | { kind: 'redirect'; to: string }
  | { kind: 'lost' }
  /** The browser solves a proof of work. */
  | { kind: 'checking' }
  | { kind: 'busy'; seconds: number };

/** Positions arrive at least every ten seconds; a stream silent for this long is dead. */
const SILENT_MS = 45_000;
const TIMEOUT_MS = 10_000;
const MAX_PAUSE_SECONDS = 60;
const MAX_PROOFS = 5;
const PROOF_HEADER = 'x-queue-proof';
const REFUSALS: Readonly<Record<string, Why>> = {
  ROOM_CLOSED: 'closed',
  EVENT_NOT_FOUND: 'no-event',
  INVALID_INPUT: 'no-event',
  UNAUTHENTICATED: 'sign-in',
  ACCOUNT_REQUIRED: 'sign-in',
  CONFIRMED_ACCOUNT_REQUIRED: 'confirm',
  BANNED: 'banned',
  NOT_ALLOWED: 'not-allowed',
};

export class LineClient {
  readonly #eventId: string;
  readonly #wanted: string | undefined;
  readonly #emit: (news: News) => void;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #proofs = 0;
  #isProving = false;
  #isPlaced = false;
  #isOver = false;

  /** `wanted`: the page that the visitor wanted. */
  constructor(eventId: string, wanted: string | undefined, emit: (news: News) => void) {
    this.#eventId = eventId;
    this.#wanted = wanted;
    this.#emit = emit;
  }

  /** Joins, or finds the existing place. */
  connect(): void {
    this.#stop();
    this.#isOver = false;
    const source = new EventSource(
      withWantedPage(`/events/${this.#eventId}/tickets/waiting?format=named`, this.#wanted),
    );
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
    on('gone', ({ reason }: { reason: string }) => {
      if (reason === 'banned') this.#finish({ kind: 'refused', why: 'banned' });
      else this.#end(reason === 'ended' || reason === 'removed' ? reason : 'gone');
    });
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
    if (!this.#isOver && !this.#isProving) this.connect();
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

  async #request(method: 'GET' | 'POST', verb: 'status' | 'check', solved?: Solved): Promise<void> {
    // Only what joins can be told to go elsewhere first. A status without a query is cheaper for the server.
    const wanted = verb === 'check' ? this.#wanted : undefined;
    const path = withWantedPage(`/api/queue/${verb}/${this.#eventId}`, wanted);
    const { status, body, retryAfter } = await send(method, path, solved);
    if (this.#isOver) return;
    if (status === 200) {
      this.#proofs = 0;
      this.#accept(body as unknown as PollAnswer);
      // With the place, the stream is open to us.
      if (solved !== undefined && !this.#isOver) this.connect();
      return;
    }
    const { error, redirectTo, challenge } = body as Refusal;
    if (challenge !== undefined && this.#proofs < MAX_PROOFS) return this.#prove(challenge);
    const why = REFUSALS[error?.code ?? ''];
    if (why !== undefined) return this.#finish({ kind: 'refused', why, page: redirectTo });
    if (redirectTo !== undefined) return this.#finish({ kind: 'redirect', to: redirectTo });
    this.#failures += 1;
    this.#proofs = 0;
    const pause = retryAfter ?? Math.min(MAX_PAUSE_SECONDS, 2 ** this.#failures);
    this.#emit(status === 429 ? { kind: 'busy', seconds: pause } : { kind: 'lost' });
    this.#poll(jitter(pause));
  }

  /** While others from the same address come too, the price rises: a proof can be too cheap when it arrives. */
  async #prove(challenge: Challenge): Promise<void> {
    this.#proofs += 1;
    this.#emit({ kind: 'checking' });
    this.#isProving = true;
    const solved = await solveChallenge(challenge);
    this.#isProving = false;
    if (!this.#isOver) await this.#request('POST', 'check', solved);
  }

  #accept(answer: PollAnswer): void {
    this.#failures = 0;
    this.#emit({ kind: 'room', room: answer.eventInfo });
    if (answer.status === 'active') this.#finish({ kind: 'turn', target: answer.target });
    else if (answer.status === 'not_in_queue') this.#end(answer.removed ? 'removed' : 'gone');
    else {
      this.#place(answer.readyForEntry ? 'ready' : 'place', answer);
      if (this.#source === undefined) this.#poll(jitter(answer.nextPoll));
    }
  }

  #end(how: How): void {
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

interface Refusal {
  error?: { code?: string };
  redirectTo?: string;
  /** The proof of work that is required. */
  challenge?: Challenge;
}

interface Answer {
  /** 0: no response. */
  status: number;
  body: Record<string, unknown>;
  retryAfter: number | undefined;
}

async function send(method: string, path: string, solved?: Solved): Promise<Answer> {
  try {
    const headers: Record<string, string> = solved === undefined ? {} : { [PROOF_HEADER]: toProof(solved) };
    const response = await fetch(path, { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    return { status: response.status, body: await response.json(), retryAfter };
  } catch {
    return { status: 0, body: {}, retryAfter: undefined };
  }
}

function toProof(solved: Solved): string {
  return btoa(JSON.stringify(solved)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Polls the overview once a second. The server caches it for half a second, so what is shown is at most two seconds old
 * while the server responds.
 */
import type { Answer } from './api.ts';
import { append, noHistory } from './history.ts';
import type { History, Overview, Span } from './wire.ts';

export interface LiveOptions {
  get: (path: string) => Promise<Answer<Overview>>;
  /** The room whose history to load. */
  historyOf: () => string | undefined;
  /** How far back. */
  spanOf: () => Span;
  onOverview: (overview: Overview) => void;
  /** Called for each failed poll with the seconds since the last success. */
  onNoResponse: (seconds: number) => void;
}

const EVERY_MS = 1_000;

export class Live {
  readonly #options: LiveOptions;
  #timer: number | undefined;
  #heardAt = performance.now();
  /** What the history is of: an event and a span. */
  #source = '';
  #history: History = noHistory;
  /** Responses to any request but the last are dropped. */
  #requests = 0;
  overview: Overview | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  start(): void {
    this.#heardAt = performance.now();
    void this.#poll();
  }

  stop(): void {
    this.#requests += 1;
    clearTimeout(this.#timer);
    this.overview = undefined;
    this.#source = '';
  }

  /** Polls now, then every second again. */
  refresh(): void {
    void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#requests += 1;
    const request = this.#requests;
    clearTimeout(this.#timer);
    const answer = await this.#options.get(this.#path());
    if (request !== this.#requests) return;
    if (answer.ok) this.#take(answer.body);
    else this.#options.onNoResponse(Math.round((performance.now() - this.#heardAt) / 1000));
    this.#timer = window.setTimeout(() => this.#poll(), EVERY_MS);
  }

  #path(): string {
    const eventId = this.#options.historyOf();
    const source = `history=${eventId}&span=${this.#options.spanOf()}`;
    if (source !== this.#source) this.#history = noHistory;
    this.#source = source;
    if (eventId === undefined) return '/api/admin/overview';
    return `/api/admin/overview?${source}&since=${this.#history.at.at(-1) ?? 0}`;
  }

  #take(overview: Overview): void {
    this.#heardAt = performance.now();
    this.#history = append(this.#history, overview.history ?? noHistory);
    this.overview = { ...overview, history: this.#history };
    this.#options.onOverview(this.overview);
  }
}

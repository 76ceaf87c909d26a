/**
 * One request a second that tells everything that changes by itself. An answer is at most half a second old when it is
 * made, so what is shown is never older than two seconds while the server can be reached.
 */
import type { Answer } from './api.ts';
import { append, noHistory } from './history.ts';
import type { History, Overview } from './wire.ts';

export interface LiveOptions {
  get: (path: string) => Promise<Answer<Overview>>;
  /** Which room's history is wanted. */
  historyOf: () => string | undefined;
  onOverview: (overview: Overview) => void;
  /** With each second without an answer. */
  onNoResponse: (seconds: number) => void;
}

const EVERY_MS = 1_000;

export class Live {
  readonly #options: LiveOptions;
  #timer: number | undefined;
  #heardAt = performance.now();
  #eventId: string | undefined;
  #history: History = noHistory;
  /** Answers to earlier questions than the last are not news. */
  #asked = 0;
  overview: Overview | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  start(): void {
    this.#heardAt = performance.now();
    void this.#ask();
  }

  stop(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.overview = undefined;
    this.#eventId = undefined;
  }

  /** At once, and then every second again. */
  refresh(): void {
    void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    clearTimeout(this.#timer);
    const answer = await this.#options.get(this.#address());
    if (asked !== this.#asked) return;
    if (answer.ok) this.#take(answer.body);
    else this.#options.onNoResponse(Math.round((performance.now() - this.#heardAt) / 1000));
    this.#timer = window.setTimeout(() => this.#ask(), EVERY_MS);
  }

  #address(): string {
    const eventId = this.#options.historyOf();
    if (eventId !== this.#eventId) this.#history = noHistory;
    this.#eventId = eventId;
    if (eventId === undefined) return '/api/admin/overview';
    return `/api/admin/overview?history=${eventId}&since=${this.#history.at.at(-1) ?? 0}`;
  }

  #take(overview: Overview): void {
    this.#heardAt = performance.now();
    this.#history = append(this.#history, overview.history ?? noHistory);
    this.overview = { ...overview, history: this.#history };
    this.#options.onOverview(this.overview);
  }
}

/** One visitor of a rehearsal: comes, waits by asking or by a stream, shops, leaves; as planned, and as a page would. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitorPlan } from '../simulate/sale.ts';
import type { Answer, Client } from './client.ts';
import type { Credentials } from './credentials.ts';
import type { Findings, Story } from './findings.ts';
import { watchStream } from './watch-stream.ts';

export interface VisitorOptions {
  client: Client;
  eventId: string;
  plan: VisitorPlan;
  credentials: Credentials;
  findings: Findings;
  story: Story;
  usesStream: boolean;
  /** What they do inside before they leave, besides staying; resolves to the seats bought. */
  buy: ((visitor: { headers: Record<string, string>; entryToken: string }) => Promise<number>) | undefined;
  /** The rehearsal is over. */
  signal: AbortSignal;
}

/** What a visitor knows of where they stand. */
export interface Standing {
  status: 'queued' | 'active' | 'not_in_queue';
  position: number | undefined;
  /** How many may be inside. */
  limit: number;
  nextPollMs: number;
  isReady: boolean;
  entryToken: string | undefined;
}

const SHORTEST_POLL_MS = 100;
const POLL_MS = 3_000;

export async function runVisitor(options: VisitorOptions): Promise<void> {
  const { findings, story } = options;
  try {
    await new VisitorRun(options).live();
  } catch (error) {
    if (!(error instanceof EndedError)) throw error;
    // What could not be done was put down where it happened; the visitor goes home.
    if (story.fate === 'waiting' && error.reason === 'given up') story.fate = 'gave-up';
    if (error.reason === 'over') return;
  }
  findings.finished += 1;
}

/** The visitor's part is over before its end: by an error, by the end of the rehearsal, or because they had enough. */
export class EndedError extends Error {
  override readonly name = 'EndedError';
  readonly reason: 'error' | 'over' | 'given up';
  constructor(reason: EndedError['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export class VisitorRun {
  readonly options: VisitorOptions;
  #joinedAt = 0;
  #entryToken: string | undefined;

  constructor(options: VisitorOptions) {
    this.options = options;
  }

  async live(): Promise<void> {
    const standing = await (this.options.usesStream ? watchStream(this) : this.#waitByAsking());
    if (standing === 'away') return;
    await this.#shop(standing);
    await this.leave();
  }

  /** How long until this visitor has had enough of waiting. */
  get patienceMs(): number {
    const { givesUp } = this.options.plan;
    return givesUp === undefined ? Number.POSITIVE_INFINITY : this.#joinedAt + givesUp.afterMs - performance.now();
  }

  get entryToken(): string | undefined {
    return this.#entryToken;
  }

  noteJoin(sentAt: number, answeredAt: number): void {
    const { findings, story } = this.options;
    this.#joinedAt = sentAt;
    story.joinSentAt = findings.since(sentAt);
    story.joinAnsweredAt = findings.since(answeredAt);
    story.fate = 'waiting';
  }

  /** From an answer or an event; `sentAt`: when it was asked for. */
  note(body: Answer['body'], sentAt: number): Standing {
    const { findings, story } = this.options;
    findings.noteRoom({ waiting: body.queueSize, inside: body.currentUsers, limit: body.threshold }, sentAt);
    if (Number.isSafeInteger(body.number)) this.#noteNumber(body.number);
    const status = ['queued', 'active'].includes(body.status) ? body.status : 'not_in_queue';
    if (status === 'queued') story.lastWaitingAt = findings.since(sentAt);
    if (typeof body.entryToken === 'string') this.#entryToken = body.entryToken;
    return {
      status,
      position: Number.isSafeInteger(body.position) ? body.position : undefined,
      limit: Number.isSafeInteger(body.threshold) ? body.threshold : 0,
      nextPollMs: Number.isFinite(body.nextPoll) ? Math.max(SHORTEST_POLL_MS, body.nextPoll * 1000) : POLL_MS,
      isReady: body.readyForEntry === true,
      entryToken: this.#entryToken,
    };
  }

  noteInside(): void {
    const { findings, story } = this.options;
    story.insideAt = findings.since(performance.now());
    story.fate = 'inside';
    story.admittedAtSeconds = readIssuedAt(this.#entryToken);
    findings.noteInside(1);
  }

  /**
   * True if the visitor, who does not mean to come in, goes silent now: where the next tick may let them in, since who
   * asks after that has come.
   */
  isAway({ position, limit }: Standing): boolean {
    const { plan, story } = this.options;
    if (plan.staysAway !== true || (position ?? 0) > limit) return false;
    story.fate = 'no-show';
    return true;
  }

  /** Goes, saying so or not. */
  async giveUp(): Promise<never> {
    if (this.options.plan.givesUp?.silently !== true) await this.leave();
    throw new EndedError('given up');
  }

  async leave(): Promise<void> {
    const { story, findings, eventId } = this.options;
    if (story.fate === 'inside') findings.noteInside(-1);
    await this.ask('POST', `/api/queue/leave/${eventId}`);
  }

  async ask(
    method: 'GET' | 'POST',
    path: string,
  ): Promise<{ body: Answer['body']; sentAt: number; answeredAt: number }> {
    const { client, credentials, findings } = this.options;
    const result = await client.ask({ method, path, headers: credentials.headers });
    findings.noteRequest(result);
    if (result.outcome === 'failed') return this.fail(`${method} ${path}: ${result.problem}`);
    const { status, body, cookies } = result.answer;
    if (status !== 200 || typeof body !== 'object' || body === null) {
      return this.fail(`${method} ${path}: ${status} ${body?.error?.code ?? ''}`.trim());
    }
    credentials.keep(cookies);
    return { body, sentAt: result.sentAt, answeredAt: result.answeredAt };
  }

  fail(problem: string): never {
    this.options.findings.noteError(problem);
    throw new EndedError('error');
  }

  losePlace(problem: string): never {
    this.options.findings.noteLostPlace(problem);
    throw new EndedError('error');
  }

  async pause(ms: number): Promise<void> {
    const { signal } = this.options;
    await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});
    if (signal.aborted) throw new EndedError('over');
  }

  async #waitByAsking(): Promise<Standing | 'away'> {
    const { eventId } = this.options;
    const joined = await this.ask('POST', `/api/queue/check/${eventId}`);
    this.noteJoin(joined.sentAt, joined.answeredAt);
    let standing = this.note(joined.body, joined.sentAt);
    while (standing.status === 'queued') {
      if (this.isAway(standing)) return 'away';
      await this.pause(Math.min(jitter(standing.nextPollMs), this.patienceMs));
      if (this.patienceMs <= 0) await this.giveUp();
      // In a claim room, who is ready enters by asking.
      const path = standing.isReady ? 'check' : 'status';
      const { body, sentAt } = await this.ask(standing.isReady ? 'POST' : 'GET', `/api/queue/${path}/${eventId}`);
      standing = this.note(body, sentAt);
    }
    if (standing.status === 'not_in_queue') this.losePlace('a waiting visitor was told: not_in_queue');
    if (this.isAway(standing)) return 'away';
    this.noteInside();
    return standing;
  }

  /** Stays inside as planned, giving signs of life, and buys at the end. */
  async #shop({ nextPollMs }: Standing): Promise<void> {
    const { plan, eventId, buy, story, credentials, findings } = this.options;
    const until = performance.now() + plan.shopsMs;
    for (let left = plan.shopsMs; left > 0; left = until - performance.now()) {
      await this.pause(Math.min(jitter(nextPollMs), left));
      if (performance.now() >= until) break;
      const { body, sentAt } = await this.ask('GET', `/api/queue/status/${eventId}`);
      if (this.note(body, sentAt).status !== 'active') {
        findings.noteInside(-1);
        this.losePlace('a visitor who was inside was told: not inside');
      }
    }
    const entryToken = this.#entryToken;
    if (buy !== undefined && plan.onlyLooks !== true && entryToken !== undefined) {
      story.seats = await buy({ headers: credentials.headers, entryToken });
    }
  }

  #noteNumber(number: number): void {
    const { story } = this.options;
    if (story.number !== undefined && story.number !== number) {
      this.losePlace(`a visitor's number changed from ${story.number} to ${number}`);
    }
    story.number = number;
  }
}

/** So that a crowd that came at once does not ask at once for ever. */
function jitter(ms: number): number {
  return ms * (0.9 + Math.random() * 0.2);
}

/** When the visitor was let in, as the token has it: its time of issue. Not verified: nothing depends on it but a count. */
function readIssuedAt(token: string | undefined): number | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return Number.isSafeInteger(claims.iat) ? claims.iat : undefined;
  } catch {
    return undefined;
  }
}

/** The actions of a visitor: send a request, record the response, pause, abandon, leave. */
import type { VisitorPlan } from '../simulate/sale.ts';
import type { Client, ReceivedResponse } from './client.ts';
import type { Credentials } from './credentials.ts';
import type { Ending } from './ending.ts';
import type { Findings, RequestKind, Story } from './findings.ts';

export interface VisitorOptions {
  client: Client;
  eventId: string;
  plan: VisitorPlan;
  credentials: Credentials;
  findings: Findings;
  story: Story;
  usesStream: boolean;
  /** Buys seats before leaving; resolves to the number bought. */
  buy: ((run: VisitorRun) => Promise<number>) | undefined;
  /** When the visitor was to arrive, by performance.now(). */
  dueAt: number;
  ending: Ending;
}

/** What a visitor knows about their place. */
export interface Standing {
  status: 'queued' | 'active' | 'not_in_queue';
  position: number | undefined;
  /** `maxActive` of the room. */
  limit: number;
  nextPollMs: number;
  isReady: boolean;
}

interface SendOptions {
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  refusals?: readonly string[];
  kind?: RequestKind;
}

interface Received {
  body: ReceivedResponse['body'];
  isRefused: boolean;
  sentAt: number;
  answeredAt: number;
}

const SHORTEST_POLL_MS = 100;
const POLL_MS = 3_000;

/** Ends a visitor's run early: an error, the end of the rehearsal, or the visitor abandoned the line. */
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
  /** When the next request is due: the end of a pause; undefined: at once. */
  #dueAt: number | undefined;
  #isInside = false;
  #entryToken: string | undefined;

  constructor(options: VisitorOptions) {
    this.options = options;
    this.#dueAt = options.dueAt;
  }

  /** Time until this visitor abandons the line. */
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

  /** Records a response or an event; `sentAt`: when it was requested. */
  note(body: ReceivedResponse['body'], sentAt: number): Standing {
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
    };
  }

  noteInside(): void {
    const { findings, story } = this.options;
    story.insideAt = findings.since(performance.now());
    story.fate = 'inside';
    story.admittedAtSeconds = readIssuedAt(this.#entryToken);
    this.#isInside = true;
  }

  /** From here on another visitor may have the slot. */
  noteLeaving(): void {
    const { findings, story } = this.options;
    if (this.#isInside) story.leftAt = findings.since(performance.now());
    this.#isInside = false;
  }

  /**
   * True if a no-show visitor goes silent now. They stop where the next tick may admit them: a request after that would
   * count as entering.
   */
  isAway({ position, limit }: Standing): boolean {
    const { plan, story } = this.options;
    if (plan.staysAway !== true || (position ?? 0) > limit) return false;
    story.fate = 'no-show';
    return true;
  }

  /** Abandons the line, silently or by leaving, as planned. */
  async giveUp(): Promise<never> {
    if (this.options.plan.givesUp?.silently !== true) await this.leave();
    throw new EndedError('given up');
  }

  async leave(): Promise<void> {
    this.noteLeaving();
    await this.send('POST', `/api/queue/leave/${this.options.eventId}`);
  }

  /** `refusals`: error codes that are expected outcomes. */
  async send(
    method: 'GET' | 'POST',
    path: string,
    { headers, body, refusals = [], kind }: SendOptions = {},
  ): Promise<Received> {
    const { client, credentials, findings } = this.options;
    const dueAt = this.takeDueTime();
    const all = headers === undefined ? credentials.headers : { ...credentials.headers, ...headers };
    const result = await client.send({ method, path, headers: all, body });
    findings.noteRequest(result, { dueAt, kind });
    if (result.outcome === 'failed') return this.fail(`${method} ${path}: ${result.problem}`);
    const { status, body: received, cookies } = result.response;
    const code = received?.error?.code ?? '';
    const isRefused = refusals.includes(code);
    const isGood = status >= 200 && status < 300 && typeof received === 'object' && received !== null;
    if (!isGood && !isRefused) return this.fail(`${method} ${path}: ${status} ${code}`.trim());
    credentials.keep(cookies);
    return { body: received, isRefused, sentAt: result.sentAt, answeredAt: result.answeredAt };
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
    const { ending } = this.options;
    const pauseMs = Math.max(0, ms);
    const dueAt = performance.now() + pauseMs;
    await ending.sleep(pauseMs);
    if (ending.isOver) throw new EndedError('over');
    this.#dueAt = dueAt;
  }

  /** When the request that is sent now was due. A process that was too busy to send it in time must not hide that. */
  takeDueTime(): number {
    const now = performance.now();
    const dueAt = Math.min(now, this.#dueAt ?? now);
    this.#dueAt = undefined;
    return dueAt;
  }

  #noteNumber(number: number): void {
    const { story } = this.options;
    if (story.number !== undefined && story.number !== number) {
      this.losePlace(`number changed from ${story.number} to ${number}`);
    }
    story.number = number;
  }
}

/** The `iat` of the entry token: when the visitor was admitted. Not verified, because it is only counted. */
function readIssuedAt(token: string | undefined): number | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return Number.isSafeInteger(claims.iat) ? claims.iat : undefined;
  } catch {
    return undefined;
  }
}

/** Spreads the polls of visitors who arrived together. */
export function jitter(ms: number): number {
  return ms * (0.9 + Math.random() * 0.2);
}

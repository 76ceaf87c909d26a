/** A visitor: a browser whose requests at the doors are recorded. Behaviours build on it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, DoorAction, Recorder, Said } from '../history.ts';
import type { Chance } from '../random.ts';
import type { Program } from '../system/program.ts';
import { type Balancer, Browser, type Reply, type Send } from './browser.ts';

export interface CrowdContext {
  recorder: Recorder;
  /** Over the line processes. */
  balancer: Balancer;
  shops: readonly Program[];
  /** Signs a token as the host site does. */
  userToken(user: string): string;
  /** Aborted when the crowd should go home. */
  closing: AbortSignal;
}

export interface Outcome {
  reply: Reply;
  said: Said | undefined;
}

/** Pages poll every second and more; a soak has less time. */
const LONGEST_POLL_MS = 500;
const LONGEST_RETRY_MS = 400;

export class Visitor {
  readonly name: string;
  readonly eventId: string;
  readonly browser: Browser;
  readonly chance: Chance;
  readonly context: CrowdContext;
  /** The last response that said something. */
  last: Said | undefined;
  /** The entry token as received. */
  entryToken: string | undefined;

  constructor(name: string, eventId: string, chance: Chance, context: CrowdContext) {
    this.name = name;
    this.eventId = eventId;
    this.chance = chance;
    this.context = context;
    this.browser = new Browser(context.balancer);
  }

  get isClosing(): boolean {
    return this.context.closing.aborted;
  }

  signIn(user = this.name): void {
    this.browser.bearer = this.context.userToken(user);
  }

  /** Sends and records a request at a door. */
  async ask(
    action: DoorAction,
    send: Send,
    read: (body: unknown) => Said | undefined,
    more: Partial<Asked> = {},
  ): Promise<Outcome> {
    const reply = await this.browser.send(send);
    const said = reply.status >= 200 && (reply.status < 300 || reply.status === 409) ? read(reply.body) : undefined;
    this.record(action, reply, said, more);
    const { entryToken, reservation_token } = reply.body;
    this.note(said, entryToken ?? reservation_token);
    return { reply, said };
  }

  /** Remembers what was said last. */
  note(said: Said | undefined, entryToken: unknown): void {
    if (said !== undefined) this.last = said;
    if (typeof entryToken === 'string') this.entryToken = entryToken;
  }

  record(action: DoorAction, reply: Omit<Reply, 'body'> & { body?: unknown }, said?: Said, more: Partial<Asked> = {}) {
    const code = codeOf(reply.body);
    this.context.recorder.add({
      kind: 'asked',
      at: reply.at,
      until: reply.until,
      visitor: this.name,
      eventId: this.eventId,
      process: reply.process,
      action,
      status: reply.status,
      ...(code === undefined ? {} : { code }),
      ...(reply.retryAfter === undefined ? {} : { retryAfter: reply.retryAfter }),
      ...(said === undefined ? {} : { said }),
      ...more,
    });
  }

  /** Waits as told, but never long; a page adds jitter too. */
  async pause(seconds: number | undefined): Promise<void> {
    const ms = Math.min(LONGEST_POLL_MS, (seconds ?? 1) * 1_000);
    await this.rest(ms * (0.4 + 0.6 * this.chance.next()));
  }

  /** After an error: Retry-After, bounded. */
  async pauseAfter(reply: Reply): Promise<void> {
    await this.rest(Math.min(LONGEST_RETRY_MS, (reply.retryAfter ?? 0.3) * 1_000) * (0.5 + this.chance.next() / 2));
  }

  async rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.context.closing }).catch(() => {});
  }
}

export function codeOf(body: unknown): string | undefined {
  const error = (body as { error?: { code?: string } } | undefined)?.error;
  return error?.code;
}

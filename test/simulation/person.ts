/**
 * A person at the line: joins, polls, sometimes twice at once, joins again, signs in under another name, leaves, is away
 * for a while. Every request goes to any process, as behind a load balancer without affinity, or always to the same one.
 */
import type { Standing } from '../../src/line/model/standing.ts';
import type { Random } from '../../src/simulate/random.ts';
import type { LineProcess } from './line-process.ts';
import { EVENT } from './line-server.ts';
import type { Oracle } from './oracle.ts';
import type { Scheduler } from './scheduler.ts';

export interface PersonOptions {
  name: string;
  scheduler: Scheduler;
  random: Random;
  oracle: Oracle;
  processes: () => readonly LineProcess[];
  /** Called with everything the person is told or refused. */
  onAnswer: (text: string, isRefusal: boolean) => void;
  /** Whether waiters certainly keep their page while the store is away. */
  keepsPages: () => boolean;
  /** From then on everyone is present, so that the end can be judged. */
  calmFrom: number;
}

/** `refused`: 503. `lost`: no answer. */
type Response<T> = T | 'refused' | 'lost';

const PATIENCE_MS = 6_000;
/** A tick has shown the visitor in line, and they asked after it. */
const KNOWN_AFTER_MS = 1_500;
const AWAY_MS = 16_000;

export class Person {
  readonly #options: PersonOptions;
  readonly #isHurried: boolean;
  readonly #isFaithful: boolean;
  /** Whether the browser keeps the entry token. */
  readonly #keepsToken: boolean;
  #hasToken = false;
  #name: string;
  #names = 1;
  /** By process: the number that it has told this person to wait with, when first and when last. */
  readonly #toldBy = new Map<LineProcess, { number: number; from: number; to: number }>();

  constructor(options: PersonOptions) {
    this.#options = options;
    this.#name = options.name;
    this.#isHurried = options.random() < 0.5;
    this.#isFaithful = options.random() < 0.2;
    this.#keepsToken = options.random() < 0.5;
    void this.#live();
  }

  async #live(): Promise<void> {
    const { scheduler, random } = this.#options;
    await scheduler.delay(4_000 * random());
    await this.#join();
    for (;;) {
      await scheduler.delay(this.#isHurried ? 20 + 300 * random() : 300 + 1_200 * random());
      await this.#act(random());
    }
  }

  async #act(choice: number): Promise<void> {
    const { scheduler, random, calmFrom } = this.#options;
    if (choice < 0.8) return this.#poll(this.#choose());
    if (choice < 0.9) return this.#join();
    if (choice < 0.95) {
      await Promise.all([this.#poll(this.#choose()), this.#poll(this.#choose())]);
      return;
    }
    if (choice < 0.965) return this.#signIn();
    if (choice < 0.985) return this.#leave();
    if (scheduler.now < calmFrom) await scheduler.delay(Math.min(AWAY_MS * random(), calmFrom - scheduler.now));
  }

  #choose(): LineProcess {
    const { processes, random } = this.#options;
    const all = processes();
    return this.#isFaithful ? all[0]! : all[Math.floor(random() * all.length)]!;
  }

  async #join(): Promise<void> {
    const process = this.#choose();
    const asked = this.#options.oracle.ask(this.#name);
    const outcome = await this.#send(process, () => process.watch.join(EVENT, asked.visitor));
    if (typeof outcome === 'string') return this.#hear(process, 'join', outcome);
    if (!('standing' in outcome)) return this.#hear(process, 'join', outcome.outcome);
    this.#options.oracle.judgeAnswer(asked, outcome.standing, { isNew: outcome.outcome === 'joined' });
    this.#hear(process, `join ${outcome.outcome}`, outcome.standing);
  }

  async #poll(process: LineProcess): Promise<void> {
    const { oracle } = this.#options;
    const asked = oracle.ask(this.#name);
    const told = this.#toldBy.get(process);
    const wasAway = !process.link.isReady;
    const wasCutOff = process.link.isAway;
    const hasToken = this.#hasToken;
    const outcome = await this.#send(process, () => process.look(asked.visitor, hasToken));
    if (outcome === 'refused') {
      const isAway = wasAway && !process.link.isReady && this.#options.keepsPages();
      const isKnown = told !== undefined && told.to - told.from > KNOWN_AFTER_MS;
      const keepsPage = isAway && isKnown && oracle.isWaiting(asked.visitor, told.number, asked.sentAt);
      if (keepsPage && !oracle.isForgiven(asked.visitor, asked.sentAt))
        oracle.judgeRefused(asked.visitor, process.name);
    }
    if (typeof outcome === 'string') return this.#hear(process, 'look', outcome);
    if (!('standing' in outcome)) return;
    const isCutOff = (wasCutOff || process.link.isAway) && !hasToken;
    oracle.judgeAnswer(asked, outcome.standing, { isCutOff });
    this.#hear(process, 'look', outcome.standing);
  }

  /** Goes on under another name, and repeats that until it is done. */
  async #signIn(): Promise<void> {
    const [from, to] = [this.#name, `${this.#options.name}.${this.#names}`];
    this.#names += 1;
    this.#name = to;
    this.#toldBy.clear();
    for (let tries = 0; tries < 50; tries += 1) {
      const process = this.#choose();
      const outcome = await this.#send(process, () => process.watch.rename(EVENT, from, to));
      this.#hear(process, `rename from ${from}`, typeof outcome === 'string' ? outcome : outcome.outcome);
      if (typeof outcome !== 'string') return;
      await this.#options.scheduler.delay(300);
    }
  }

  async #leave(): Promise<void> {
    const process = this.#choose();
    const outcome = await this.#send(process, () => process.watch.leave(EVENT, this.#name));
    this.#toldBy.clear();
    this.#hear(process, 'leave', typeof outcome === 'string' ? outcome : outcome.outcome);
    await this.#options.scheduler.delay(500);
    await this.#join();
  }

  #hear(process: LineProcess, what: string, answer: Standing | string): void {
    const isStanding = typeof answer !== 'string';
    if (isStanding) {
      if (answer.state === 'waiting') this.#noteTold(process, answer.number);
      else this.#toldBy.clear();
      this.#hasToken = this.#keepsToken && answer.state === 'active';
    }
    const text = isStanding ? `${answer.state}${'number' in answer ? ` ${answer.number}` : ''}` : answer;
    this.#options.onAnswer(`${this.#name} ${process.name} ${what}: ${text}`, answer === 'refused');
  }

  #noteTold(process: LineProcess, number: number): void {
    const { now } = this.#options.scheduler;
    const told = this.#toldBy.get(process);
    if (told?.number === number) told.to = now;
    else this.#toldBy.set(process, { number, from: now, to: now });
  }

  #send<T>(process: LineProcess, work: () => Promise<T>): Promise<Response<T>> {
    const { scheduler, random } = this.#options;
    const travelMs = () => 1 + 15 * random();
    return new Promise((resolve) => {
      scheduler.after(PATIENCE_MS, () => resolve('lost'));
      const answer = (response: Response<T>) => scheduler.after(travelMs(), () => resolve(response));
      scheduler.after(travelMs(), () => {
        if (!process.isAlive) answer('lost');
        else process.run(() => void work().then(answer, () => answer('refused')));
      });
    });
  }
}

/**
 * Two line processes on one Redis, and visitors who poll them in turn, as behind a load balancer without affinity. Once one
 * process has told a visitor that they are inside, none says that they wait (invariant 6). TOLD_ROUNDS sets the number
 * of visitors per case.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../src/simulate/random.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { describeWithRedis, type RedisServer } from '../support/redis-server.ts';
import type { Answer, ServerProcess } from '../support/server-process.ts';
import { createSharedLine } from '../support/shared-line.ts';

const ROUNDS = Number(process.env.TOLD_ROUNDS ?? 20);
const ABREAST = Math.max(20, Math.ceil(ROUNDS / 4));
/** A round takes some seconds on an idle machine. */
const TIMEOUT_MS = 120_000 + ROUNDS * 5_000;
const POLLS_BEFORE = 5;
const POLLS_AFTER = 16;
/** All polls after the first admission together take longer than two default ticks. */
const LONGEST_PAUSE_MS = 400;

type Lines = readonly [ServerProcess, ServerProcess];

interface Tally {
  rounds: number;
  polls: number;
  refused: number;
  stepsBack: string[];
}

describeWithRedis('two line processes that a visitor polls in turn', () => {
  it('never take back an admission, at the default interval (6)', { timeout: TIMEOUT_MS }, async () => {
    const { lines } = await startLines({ QUEUE_ADMISSION_INTERVAL_MS: '1000' });
    expectHeld(await playRounds(lines));
  });

  it('never take back an admission, with ticks ten times as fast, faults included (6)', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { lines, redis, proxy } = await startLines();
    expectHeld(await playRounds(lines));

    expectHeld(await playRounds(lines, () => keepHanging(redis)));
    expectHeld(await playRounds(lines, () => keepLosing(proxy)));
  });
});

async function startLines(env: Record<string, string> = {}) {
  const { redis, start } = await createSharedLine({ LIMIT_GUEST_JOIN_PER_IP: '0', ...env });
  const proxy = await startLossyProxy(redis.port);
  onTestFinished(() => proxy.close());
  const through = { REDIS_URL: `redis://127.0.0.1:${proxy.port}` };
  const [one, two] = await Promise.all([start('line', through), start('line', through), start('admitter,dispatcher')]);
  return { lines: [one, two] as const, redis, proxy };
}

function expectHeld({ rounds, stepsBack }: Tally): void {
  expect(stepsBack).toEqual([]);
  expect(rounds).toBe(ROUNDS);
}

/**
 * Each visitor has a room of their own, so that nobody else's polls refresh what a process knows of it. They join while it
 * is paused, half of them as guests with cookies, half as users without; then it opens.
 */
async function playRounds(lines: Lines, begin?: () => Faults): Promise<Tally> {
  const tally: Tally = { rounds: 0, polls: 0, refused: 0, stepsBack: [] };
  const group = randomBytes(3).toString('hex');
  for (let first = 0; first < ROUNDS; first += ABREAST) {
    const visitors = Array.from(
      { length: Math.min(ABREAST, ROUNDS - first) },
      (_, i) => new Visitor(`${group}-${first + i}`, i % 2 === 0),
    );
    for (const visitor of visitors) await persist(() => visitor.arrive(lines[0]));
    const faults = begin?.();
    await Promise.all(visitors.map((visitor) => playRound(visitor, lines, tally)));
    if (faults !== undefined) expect(await faults.stop(), 'faults').toBeGreaterThan(0);
  }
  if (process.env.TOLD_ROUNDS !== undefined) console.log(JSON.stringify(tally));
  return tally;
}

async function playRound(visitor: Visitor, lines: Lines, tally: Tally): Promise<void> {
  const random = createRandom(tally.rounds + visitor.name.length);
  let toldAt: number | undefined;
  let left = POLLS_AFTER;
  for (let poll = 0; left > 0; poll += 1) {
    if (poll === POLLS_BEFORE) await persist(() => visitor.setRoom(lines[0], { state: 'open' }));
    const { status, body } = await visitor.poll(lines[poll % 2]!, poll % 2 === 0 ? 'check' : 'status');
    tally.polls += 1;
    if (toldAt !== undefined) left -= 1;
    if (status === 503) tally.refused += 1;
    else if (body.status === 'active') toldAt ??= performance.now();
    else if (toldAt !== undefined) {
      const after = Math.round(performance.now() - toldAt);
      tally.stepsBack.push(`${visitor.name}: ${body.status} from process ${(poll % 2) + 1}, ${after} ms after active`);
    }
    await sleep(LONGEST_PAUSE_MS * random());
  }
  tally.rounds += 1;
}

class Visitor {
  /** Also the name of the room. */
  readonly name: string;
  readonly #isUser: boolean;
  readonly #cookies = new Map<string, string>();

  /** A user sends a bearer token and no cookies; a guest keeps cookies as a browser does. */
  constructor(name: string, isUser: boolean) {
    this.name = name;
    this.#isUser = isUser;
  }

  async setRoom(line: ServerProcess, settings: object): Promise<void> {
    const { status } = await line.ask('PUT', `/api/admin/rooms/${this.name}`, { operator: true, body: settings });
    if (status !== 200 && status !== 201) throw new Error(`setting the room failed with ${status}`);
  }

  /** Joins a paused room. */
  async arrive(line: ServerProcess): Promise<void> {
    await this.setRoom(line, { maxActive: 10, state: 'paused' });
    const { status } = await this.poll(line, 'check');
    if (status !== 200) throw new Error(`joining failed with ${status}`);
  }

  /** `check` is answered by the store, `status` mostly from memory. */
  poll(line: ServerProcess, verb: 'check' | 'status'): Promise<Answer> {
    return this.#ask(line, verb === 'check' ? 'POST' : 'GET', `/api/queue/${verb}/${this.name}`);
  }

  async #ask(line: ServerProcess, method: string, path: string): Promise<Answer> {
    if (this.#isUser) return line.ask(method, path, { user: this.name });
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await line.ask(method, path, { headers: cookie === '' ? {} : { cookie } });
    for (const text of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      if (value === '') this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    return answer;
  }
}

/** Repeats what an outage may refuse. */
async function persist(step: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(200);
    }
  }
}

interface Faults {
  /** Returns how many there were. */
  stop(): Promise<number>;
}

/** Loses every 25th reply to a script. */
function keepLosing(proxy: LossyProxy): Faults {
  const before = proxy.lost;
  proxy.loseEach(25, 'evalsha');
  return {
    async stop() {
      proxy.loseEach(0, '');
      return proxy.lost - before;
    },
  };
}

/** Stops Redis for a while, again and again. */
function keepHanging(redis: RedisServer): Faults {
  const random = createRandom(18);
  let isOver = false;
  let count = 0;
  const running = (async () => {
    while (!isOver) {
      await sleep(500 + random() * 1_000);
      redis.pause();
      await sleep(100 + random() * 900);
      redis.resume();
      count += 1;
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return count;
    },
  };
}

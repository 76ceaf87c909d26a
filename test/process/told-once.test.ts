/**
 * Two line processes on one Redis, and visitors who poll them in turn, as behind a load balancer without affinity. Once one
 * process has told a visitor that they are inside, none says that they wait (invariant 6). TOLD_ROUNDS sets the number
 * of visitors per case.
 */
import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../src/simulate/random.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { describeWithRedis, type RedisServer } from '../support/redis-server.ts';
import type { Answer, ServerProcess } from '../support/server-process.ts';
import { createSharedLine } from '../support/shared-line.ts';
import { until } from '../support/until.ts';

const ROUNDS = Number(process.env.TOLD_ROUNDS ?? 20);
const ABREAST = 20;
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

    const faults = keepHanging(redis);
    expectHeld(await playRounds(lines));
    expect(await faults.stop(), 'Redis has hung').toBeGreaterThan(0);

    proxy.loseEach(25, 'evalsha');
    expectHeld(await playRounds(lines));
    expect(proxy.lost, 'replies were lost').toBeGreaterThan(0);
  });
});

async function startLines(env: Record<string, string> = {}) {
  const { redis, start } = await createSharedLine(env);
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
async function playRounds(lines: Lines): Promise<Tally> {
  const tally: Tally = { rounds: 0, polls: 0, refused: 0, stepsBack: [] };
  const group = randomBytes(3).toString('hex');
  for (let first = 0; first < ROUNDS; first += ABREAST) {
    const rounds = Array.from({ length: Math.min(ABREAST, ROUNDS - first) }, (_, i) => {
      const visitor = new Visitor(`${group}-${first + i}`, i % 2 === 0);
      return playRound(visitor, lines, tally);
    });
    await Promise.all(rounds);
  }
  if (process.env.TOLD_ROUNDS !== undefined) console.log(JSON.stringify(tally));
  return tally;
}

async function playRound(visitor: Visitor, lines: Lines, tally: Tally): Promise<void> {
  const random = createRandom(tally.rounds + visitor.name.length);
  await persist(() => visitor.setRoom(lines[0], { maxActive: 10, state: 'paused' }));
  await persist(() => visitor.join(lines[0]));
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
    await new Promise((resolve) => setTimeout(resolve, LONGEST_PAUSE_MS * random()));
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

  async join(line: ServerProcess): Promise<void> {
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
function persist(step: () => Promise<void>): Promise<true> {
  return until('a step that outages interrupt', () =>
    step().then(
      () => true as const,
      () => false as const,
    ),
  );
}

/** Stops Redis for a while, again and again; `stop` returns how often. */
function keepHanging(redis: RedisServer) {
  const random = createRandom(18);
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
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
    async stop(): Promise<number> {
      isOver = true;
      await running;
      return count;
    },
  };
}

/** Visitors who join, poll, get in, look at pages of the site and leave, again and again. Each has an address of its own. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HonestOptions {
  port: number;
  eventId: string;
  /** One per visitor. */
  tokens: readonly string[];
}

export interface HonestFigures {
  requests: number;
  errors: number;
  /** Visits that got to the site. */
  visits: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

const PAGES = 3;
const POLL_MS = 1_000;
const TIMEOUT_MS = 20_000;

interface Answer {
  status: number;
  body: string;
}

export function createHonestVisitors({ port, eventId, tokens }: HonestOptions) {
  return { run };

  async function run(seconds: number): Promise<HonestFigures> {
    const endsAt = performance.now() + seconds * 1000;
    const times: number[] = [];
    const seen = { errors: 0, visits: 0 };
    await Promise.all(tokens.map((token, index) => visitUntil(endsAt, token, index, times, seen)));
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    return { requests: times.length, ...seen, p50Ms: at(0.5), p99Ms: at(0.99), longestMs: at(1) };
  }

  async function visitUntil(
    endsAt: number,
    token: string,
    index: number,
    times: number[],
    seen: { errors: number; visits: number },
  ): Promise<void> {
    const localAddress = `127.0.2.${(index % 250) + 1}`;
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    const ask = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> => {
      const startedAt = performance.now();
      const sent = { authorization: `Bearer ${token}`, ...headers };
      const answer = await askOnce({ port, method, path, headers: sent, agent, localAddress });
      times.push(performance.now() - startedAt);
      if (answer.status !== 200) {
        if (seen.errors === 0) console.log(`honest visitor: ${method} ${path} got ${answer.status} ${answer.body}`);
        seen.errors += 1;
      }
      return answer;
    };
    // Not all in the same millisecond.
    await sleep((index * POLL_MS) / tokens.length);
    while (performance.now() < endsAt) {
      const entryToken = await waitForTurn(ask, endsAt);
      if (entryToken === undefined) break;
      for (let page = 0; page < PAGES; page += 1) {
        await ask('GET', `/api/seats/events/${eventId}?page=${page}`, { 'x-queue-entry-token': entryToken });
        await sleep(POLL_MS / 4);
      }
      await ask('POST', `/api/queue/leave/${eventId}`);
      seen.visits += 1;
    }
    agent.destroy();
  }

  async function waitForTurn(
    ask: (method: string, path: string) => Promise<Answer>,
    endsAt: number,
  ): Promise<string | undefined> {
    await ask('GET', `/queue/${eventId}`);
    while (performance.now() < endsAt) {
      const { status, body } = await ask('POST', `/api/queue/check/${eventId}`);
      const token = status === 200 ? (JSON.parse(body) as { entryToken?: string }).entryToken : undefined;
      if (token !== undefined) return token;
      await sleep(POLL_MS);
    }
    return undefined;
  }
}

interface Asked {
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  agent: Agent;
  localAddress: string;
}

/** Status 0 if there was no response. */
function askOnce(options: Asked): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', ...options, timeout: TIMEOUT_MS }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('error', () => resolve({ status: 0, body: 'broken' }));
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    });
    sent.on('timeout', () => sent.destroy(new Error('no response in time')));
    // A kept connection that the server has just closed is not an error that a browser would show: it sends again.
    sent.on('error', (error: Error & { code?: string }) => {
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(askOnce(options));
      else resolve({ status: 0, body: error.message });
    });
    sent.end();
  });
}

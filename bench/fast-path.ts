/**
 * What each part of the fast path saves: CPU time per poll and per join with the part on and off. On and off take turns
 * in slices of 600 requests, and the result is the median of the ratios of neighbouring slices. CPU time of the server
 * process instead of requests per second, so that a busy machine disturbs it less.
 *
 * A part that relies on private fields of Node stays only if it saves 5 % of a poll or of a join on the Node we ship.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Order } from './fast-path-server.ts';
import { toRequest } from './load.ts';
import { median, userTokens } from './processes.ts';
import { type BenchRow, effort, report, round2 } from './report.ts';

const PAIRS = effort(120, 4);
const SLICE = 600;
const CONNECTIONS = 60;
/** The warm-up lasts as long as its process, so it is compared between processes, several times. */
const RESTARTS = effort(4, 1);
const WARM_UP_SLICES = effort(30, 3);

type Kind = 'poll' | 'join';
type Way = 'on' | 'off';
const kinds: readonly Kind[] = ['poll', 'join'];

class Server {
  readonly #child: ChildProcess;
  readonly #sockets: Socket[] = [];

  constructor(args: string[]) {
    const program = new URL('./fast-path-server.js', import.meta.url);
    this.#child = fork(program, args, { execArgv: ['--expose-gc'] });
  }

  async open(): Promise<void> {
    const [port] = (await once(this.#child, 'message')) as [number];
    for (let i = 0; i < CONNECTIONS; i += 1) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.setEncoding('latin1');
      await once(socket, 'connect');
      this.#sockets.push(socket);
    }
    await this.send(waiters.map((token) => toRequest('POST', '/api/queue/check/concert', token)));
    for (let i = 0; i < WARM_UP_SLICES; i += 1) for (const kind of kinds) await this.send(requestsOf(kind));
  }

  async order(order: Order): Promise<number> {
    this.#child.send(order);
    const [reply] = (await once(this.#child, 'message')) as [number];
    return reply;
  }

  /** One request under way per connection. */
  async send(requests: readonly string[]): Promise<void> {
    let next = 0;
    const take = () => requests[next++];
    await Promise.all(this.#sockets.map((socket) => drive(socket, take)));
  }

  /** Microseconds of CPU per request. */
  async measure(requests: readonly string[]): Promise<number> {
    const before = await this.order('cpu');
    await this.send(requests);
    return ((await this.order('cpu')) - before) / requests.length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#child.disconnect();
  }
}

function drive(socket: Socket, take: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const send = () => {
      const request = take();
      if (request !== undefined) return void socket.write(request, 'latin1');
      socket.removeAllListeners('data');
      resolve();
    };
    socket.on('data', (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number.parseInt(received.slice(received.indexOf('content-length: ') + 16), 10);
      if (headEnd === -1 || received.length < headEnd + 4 + length) return;
      if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(received));
      received = '';
      send();
    });
    send();
  });
}

const waiters = userTokens('waiter', SLICE);
const polls = waiters.map((token) => toRequest('GET', '/api/queue/status/concert', token));
let joinSlices = 0;

/** Joins always come with tokens that the server has not seen. */
function requestsOf(kind: Kind): string[] {
  if (kind === 'poll') return polls;
  joinSlices += 1;
  return userTokens(`join-${joinSlices}`, SLICE).map((token) => toRequest('POST', '/api/queue/check/concert', token));
}

interface Found {
  on: number[];
  off: number[];
}

const rows: BenchRow[] = [];
const turnsOf = (pair: number): Way[] => (pair % 2 === 0 ? ['on', 'off'] : ['off', 'on']);

async function comparePart(server: Server, part: 'raw response' | 'fast path', kind: Kind): Promise<void> {
  const found: Found = { on: [], off: [] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (const way of turnsOf(pair)) {
      await server.order(way === 'on' ? 'nothing' : part);
      found[way].push(await server.measure(requestsOf(kind)));
    }
  }
  addRow(part, kind, found);
}

async function compareWarmUp(): Promise<void> {
  const found: Record<Kind, Found> = { poll: { on: [], off: [] }, join: { on: [], off: [] } };
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const servers = { on: new Server([]), off: new Server(['nextTick warm-up']) };
    for (const way of ['on', 'off'] as const) {
      await servers[way].open();
      // V8 discards what it has learned of ticks only in a collection while none is queued.
      await servers[way].order('gc');
    }
    for (let pair = 0; pair < PAIRS / RESTARTS; pair += 1) {
      for (const kind of kinds) {
        const requests = requestsOf(kind);
        for (const way of turnsOf(pair)) found[kind][way].push(await servers[way].measure(requests));
      }
    }
    servers.on.close();
    servers.off.close();
  }
  for (const kind of kinds) addRow('nextTick warm-up', kind, found[kind]);
}

function addRow(part: string, kind: Kind, { on, off }: Found): void {
  const shares = on.map((cpu, i) => 100 * (1 - cpu / off[i]!)).sort((a, b) => a - b);
  const quartile = (share: number) => Math.round(shares[Math.floor(shares.length * share)]!);
  rows.push({
    what: `${part}, ${kind}`,
    unit: '% of CPU saved',
    ours: round2(median(shares)),
    more: {
      'on us': round2(median(on)),
      'off us': round2(median(off)),
      quartiles: `${quartile(0.25)} to ${quartile(0.75)}`,
    },
  });
}

const server = new Server([]);
await server.open();
for (const part of ['fast path', 'raw response'] as const) {
  for (const kind of kinds) await comparePart(server, part, kind);
}
server.close();
await compareWarmUp();

console.log(`\nNode ${process.versions.node}, CPU per request, median of ${PAIRS} pairs of ${SLICE} requests`);
console.table(rows.map(({ more, ...row }) => ({ ...row, ...more })));
report(rows);
process.exit();

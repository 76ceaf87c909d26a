/**
 * The attacks, each bounded in connections and rate, from loopback addresses 127.0.1.x. Runs in its own process, started by
 * attacks.ts.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface AttackPlan {
  gatePort: number;
  productPort: number;
  eventId: string;
  seconds: number;
}

export interface AttackResult {
  name: string;
  /** Responses by status. `closed`: the connection was closed without one; `held`: still open at the end. */
  statuses: Record<string, number>;
}

interface Attack {
  name: string;
  target: 'gate' | 'product';
  /** Connections at once. */
  connections: number;
  /** The bytes of one attempt. */
  bytes: () => string;
  /** Sent again and again while the connection is open, to keep it. */
  drip?: string;
  /** Pause of a connection after its response. */
  pauseMs: number;
}

const ADDRESSES = 60;
const DRIP_MS = 1_000;
const PATIENCE_MS = 10_000;

function attacksOn(eventId: string): Attack[] {
  const host = 'Host: shop.example';
  const get = (path: string, ...headers: string[]) =>
    `${[`GET ${path} HTTP/1.1`, host, ...headers].join('\r\n')}\r\n\r\n`;
  const post = (path: string, body: string, ...headers: string[]) =>
    `${[`POST ${path} HTTP/1.1`, host, `Content-Length: ${body.length}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
  const json = 'Content-Type: application/json';
  const seats = `/api/seats/events/${eventId}`;
  const waiting = `/events/${eventId}/tickets/waiting`;
  const close = 'Connection: close';
  const sample = <T>(values: readonly T[]) => values[Math.floor(Math.random() * values.length)]!;
  const random = (length: number) =>
    Array.from({ length }, () => sample([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('');
  const malformed = [
    'NONSENSE\r\n\r\n',
    `GET / HTTP/9.9\r\n${host}\r\n\r\n`,
    get('/', 'a b: c'),
    get('/', 'a: \x01'),
    get('http://evil.example/'),
    get('/', 'Transfer-Encoding: gzip, chunked'),
    get('/', 'Content-Length: 1', 'Content-Length: 2'),
    get('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'),
    get('/', 'Connection: host, close', 'Proxy: http://evil.example'),
  ];
  return [
    {
      name: 'double Host',
      target: 'gate',
      connections: 4,
      bytes: () => get('/', 'Host: other').repeat(50),
      pauseMs: 50,
    },
    {
      name: 'double Host, line',
      target: 'gate',
      connections: 4,
      bytes: () => get(waiting, host).repeat(50),
      pauseMs: 50,
    },
    { name: 'malformed', target: 'gate', connections: 10, bytes: () => sample(malformed), pauseMs: 50 },
    { name: 'malformed, product', target: 'product', connections: 10, bytes: () => sample(malformed), pauseMs: 50 },
    {
      name: 'large headers',
      target: 'gate',
      connections: 5,
      bytes: () => get('/', `Cookie: ${'x'.repeat(30_000)}`),
      pauseMs: 50,
    },
    {
      name: 'slow headers',
      target: 'gate',
      connections: 200,
      bytes: () => `GET / HTTP/1.1\r\n${host}\r\n`,
      drip: 'x: 1\r\n',
      pauseMs: 0,
    },
    {
      name: 'slow headers, product',
      target: 'product',
      connections: 200,
      bytes: () => `GET / HTTP/1.1\r\n${host}\r\n`,
      drip: 'x: 1\r\n',
      pauseMs: 0,
    },
    {
      name: 'slow uploads',
      target: 'gate',
      connections: 1_300,
      bytes: () => post('/', 'x').replace('Length: 1', 'Length: 9999'),
      drip: 'x',
      pauseMs: 500,
    },
    {
      name: 'stream flood',
      target: 'gate',
      connections: 1_300,
      bytes: () => get(waiting, 'Accept: text/event-stream'),
      drip: '',
      pauseMs: 500,
    },
    {
      name: 'forged tokens',
      target: 'gate',
      connections: 10,
      bytes: () => get(seats, `X-Queue-Entry-Token: e30.${random(60)}.${random(43)}`, close),
      pauseMs: 50,
    },
    {
      name: 'openapi.json',
      target: 'product',
      connections: 20,
      bytes: () => get('/openapi.json', close),
      pauseMs: 100,
    },
    { name: 'metrics', target: 'product', connections: 20, bytes: () => get('/metrics', close), pauseMs: 100 },
    {
      name: 'passwords',
      target: 'product',
      connections: 20,
      bytes: () => post('/api/auth/login', `{"email":"mina@shop.example","password":"${random(12)}"}`, json, close),
      pauseMs: 200,
    },
    {
      name: 'operator tokens',
      target: 'product',
      connections: 5,
      bytes: () => get('/api/admin/rooms', `Authorization: Bearer ${random(30)}`, close),
      pauseMs: 100,
    },
    {
      name: 'cross-site posts',
      target: 'gate',
      connections: 5,
      bytes: () =>
        post(
          `/api/queue/check/${eventId}`,
          'x',
          'Content-Type: text/plain',
          'Origin: https://evil.example',
          'Sec-Fetch-Site: cross-site',
          close,
        ),
      pauseMs: 100,
    },
  ];
}

async function attackAll(plan: AttackPlan): Promise<AttackResult[]> {
  const endsAt = performance.now() + plan.seconds * 1000;
  return Promise.all(
    attacksOn(plan.eventId).map(async (attack) => {
      const statuses: Record<string, number> = {};
      const count = (status: string) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
      };
      const port = attack.target === 'gate' ? plan.gatePort : plan.productPort;
      await Promise.all(
        Array.from({ length: attack.connections }, async (_, index) => {
          // Spread over the first second, so that opening the sockets is not the attack.
          await sleep((index * 1000) / attack.connections);
          while (performance.now() < endsAt) {
            await attempt(attack, port, index, endsAt, count);
            await sleep(attack.pauseMs);
          }
        }),
      );
      return { name: attack.name, statuses };
    }),
  );
}

/** One connection, until it is answered, closed, or the attack ends. */
function attempt(
  { bytes, drip }: Attack,
  port: number,
  index: number,
  endsAt: number,
  count: (status: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${(index % ADDRESSES) + 1}` });
    const left = endsAt - performance.now();
    const timer = setTimeout(() => finish('held'), drip === undefined ? Math.min(left, PATIENCE_MS) : left);
    const dripping = drip === undefined || drip === '' ? undefined : setInterval(() => socket.write(drip), DRIP_MS);
    let isOver = false;
    const finish = (status: string) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearInterval(dripping);
      count(status);
      socket.destroy();
      resolve();
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(bytes(), 'latin1'));
    socket.on('error', (error: Error & { code?: string }) => finish(error.code ?? 'error'));
    socket.on('close', () => finish('closed'));
    socket.on('data', (text: string) => onData(text, socket, finish, count));
  });
}

function onData(text: string, socket: Socket, finish: (status: string) => void, count: (status: string) => void): void {
  const [first, ...more] = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!);
  // A stream stays open; its events have no status.
  if (first === undefined) return;
  for (const status of more) count(status);
  if (text.includes('text/event-stream')) count('200 (stream)');
  else if (!socket.destroyed) finish(first);
}

process.once('message', async (plan) => {
  process.send?.(await attackAll(plan as AttackPlan));
  process.disconnect();
});

/**
 * A cheap load generator: raw sockets, prepared requests, one request in flight per connection. `runLoad` runs it in its own
 * process. It costs about as much per request as the floor, so it understates the floor's rate a little.
 */
import { fork } from 'node:child_process';
import { connect } from 'node:net';

export interface Load {
  port: number;
  connections: number;
  /** The run ends after this time, or once all requests have a response unless `repeat` is set. */
  seconds: number;
  /** Complete HTTP requests as text. */
  requests: string[];
  repeat: boolean;
  /** Limits the rate. Latency then counts from the time a request was due. */
  perSecond?: number;
}

export interface LoadResult {
  perSecond: number;
  answered: number;
  /** Responses by status code. */
  statuses: Record<string, number>;
  p50Ms: number;
  p99Ms: number;
}

export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), { serialization: 'advanced' });
    child.once('message', (result) => resolve(result as LoadResult));
    child.once('error', reject);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load generator exited with code ${code}`)));
    child.send(load);
  });
}

export function toRequest(method: 'GET' | 'POST', path: string, token: string): string {
  const length = method === 'POST' ? 'content-length: 0\r\n' : '';
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n${length}\r\n`;
}

async function generate({ port, connections, seconds, requests, repeat, perSecond }: Load): Promise<LoadResult> {
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const take = (): string | undefined => {
    if (performance.now() >= endsAt || (!repeat && next >= requests.length)) return undefined;
    const request = requests[next % requests.length];
    next += 1;
    return request;
  };
  const drive = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let received = '';
      const send = () => {
        const request = take();
        if (request === undefined) {
          socket.destroy();
          resolve();
          return;
        }
        const now = performance.now();
        sentAt = perSecond === undefined ? now : startedAt + (next - 1) * (1000 / perSecond);
        if (sentAt <= now) socket.write(request, 'latin1');
        else setTimeout(() => socket.write(request, 'latin1'), sentAt - now);
      };
      socket.setEncoding('latin1');
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        received += chunk;
        if (!isComplete(received)) return;
        const status = received.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies.push(performance.now() - sentAt);
        received = '';
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, drive));
  const elapsed = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Math.round((latencies[Math.floor(latencies.length * share)] ?? 0) * 100) / 100;
  const answered = latencies.length;
  return { perSecond: Math.round(answered / elapsed), answered, statuses, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  // Proxies write the name in another case.
  const at = text.search(/content-length: /i);
  const length = at === -1 || at > headEnd ? 0 : Number.parseInt(text.slice(at + 16, at + 26), 10);
  return text.length >= headEnd + 4 + length;
}

if (process.send !== undefined && process.argv[1] === new URL(import.meta.url).pathname) {
  process.once('message', async (load) => {
    process.send?.(await generate(load as Load));
    process.disconnect();
  });
}

/** The HTTP client of a rehearsal against servers that answer slowly, in parts, with errors or not at all. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../src/rehearse/client.ts';
import { Ending } from '../../src/rehearse/ending.ts';
import { Findings, newStory } from '../../src/rehearse/findings.ts';
import { VisitorRun } from '../../src/rehearse/visitor-run.ts';
import { until } from '../support/until.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function startSite(answer: Answer, host = '127.0.0.1') {
  const server = createServer(answer);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, connections: () => connections, target: { url: `http://localhost:${port}/base/`, address: host } };
}

type Site = Awaited<ReturnType<typeof startSite>>;

function createClient(site: Site, { retries = 3, connections = 2 } = {}): Client {
  const client = new Client({ targets: [site.target], retries, connections });
  onTestFinished(() => client.close());
  return client;
}

const get = (path: string) => ({ method: 'GET' as const, path, headers: {} });

/** Status and body of a response, or the problem. */
async function ask(client: Client, path: string) {
  const result = await client.send(get(path));
  return result.outcome === 'failed' ? result.problem : [result.response.status, result.response.body, result.retries];
}

describe('the client of a rehearsal', () => {
  it.each(['127.0.0.1', '::1'])('sends the whole path, the headers and the body to %s', async (host) => {
    const site = await startSite((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.setHeader('set-cookie', ['a=1; Path=/', 'b=2']);
        response.end(JSON.stringify({ seen: [method, url, headers.host, headers['x-one'], body] }));
      });
    }, host);
    const body = { name: '표' };
    const sent = { method: 'POST' as const, path: '/x?y=1', headers: { 'x-one': 'yes' }, body };
    const result = await createClient(site).send(sent);
    const { host: name } = new URL(site.target.url);
    if (result.outcome === 'failed') throw new Error(result.problem);
    const [method, path, hostName, header, received] = result.response.body.seen;
    expect([method, path, hostName, header, JSON.parse(received)]).toEqual(['POST', '/base/x?y=1', name, 'yes', body]);
    expect(result.response.cookies).toEqual(['a=1; Path=/', 'b=2']);
  });

  it('uses at most so many connections, and all of them again', async () => {
    const held: ServerResponse[] = [];
    const site = await startSite((_request, response) => void held.push(response));
    const client = createClient(site, { connections: 2 });
    const answers = Promise.all(Array.from({ length: 6 }, (_, i) => ask(client, `/${i}`)));
    for (let answered = 0; answered < 6; answered += 2) {
      await until('two requests', () => held.length === 2);
      for (const response of held.splice(0)) response.end('{}');
    }
    expect(await answers).toEqual(Array.from({ length: 6 }, () => [200, {}, 0]));
    expect(site.connections()).toBe(2);
  });

  it('retries temporary errors and lost connections, and nothing else', async () => {
    const faults: Record<string, Answer> = {
      '/base/busy': (_request, response) => void response.writeHead(503, { 'retry-after': '1' }).end('{}'),
      '/base/lost': (request) => void request.socket.destroy(),
      '/base/half': (_request, response) => {
        response.writeHead(200, { 'content-length': '10' }).write('{');
        setImmediate(() => response.destroy());
      },
      '/base/limited': (_request, response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}'),
      '/base/moved': (_request, response) => void response.writeHead(302, { location: '/' }).end(),
    };
    const seen = new Set<string>();
    const site = await startSite((request, response) => {
      const path = request.url!;
      const isFirst = !seen.has(path);
      seen.add(path);
      if (isFirst) faults[path]!(request, response);
      else response.end('{"again":true}');
    });
    const client = createClient(site);
    const again = [200, { again: true }, 1];
    for (const path of ['/busy', '/lost', '/half']) expect(await ask(client, path)).toEqual(again);
    expect(await ask(client, '/limited')).toEqual([429, {}, 0]);
    expect(await ask(client, '/moved')).toEqual([302, undefined, 0]);
  });

  it('names what went wrong with the last attempt', async () => {
    const site = await startSite((request) => void request.socket.destroy());
    expect(await ask(createClient(site, { retries: 0 }), '/')).toBe('ECONNRESET');
    site.server.closeAllConnections();
    site.server.close();
    await once(site.server, 'close');
    expect(await ask(createClient(site, { retries: 0 }), '/')).toBe('ECONNREFUSED');
  });

  it('opens a new connection when the server has closed an idle one', async () => {
    const site = await startSite((_request, response) => void response.end('{}'));
    const client = createClient(site, { retries: 0, connections: 1 });
    await ask(client, '/');
    site.server.closeIdleConnections();
    await until('the connection to close', async () => {
      const open = await new Promise<number>((resolve) =>
        site.server.getConnections((_error, count) => resolve(count)),
      );
      return open === 0;
    });
    await until('an answer', async () => Array.isArray(await ask(client, '/')));
    expect(site.connections()).toBe(2);
  });

  it('reads a stream from its first byte, until the server ends it', async () => {
    const site = await startSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // A character in two parts.
      const bytes = Buffer.from('data: 줄\n\n');
      response.write(bytes.subarray(0, 7));
      setImmediate(() => response.end(bytes.subarray(7)));
    });
    const { status, stream } = await createClient(site).open('/stream', {});
    let text = '';
    await stream.read((part) => {
      text += part;
    });
    expect([status, text]).toEqual([200, 'data: 줄\n\n']);
  });
});

describe('response times', () => {
  it('count from when a request was due, so that a late rehearsal does not hide a slow server', async () => {
    const site = await startSite((_request, response) => void response.end('{}'));
    const now = performance.now();
    const findings = new Findings(1, now);
    const run = new VisitorRun({
      client: createClient(site),
      eventId: 'concert',
      plan: { comesAtMs: 0, shopsMs: 0, vanishes: false },
      credentials: { headers: {}, keep: () => {} },
      findings,
      story: newStory(),
      usesStream: false,
      buy: undefined,
      dueAt: now,
      ending: new Ending(),
    });
    const pause = run.pause(1);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await pause;
    await run.send('GET', '/late');
    expect(findings.times.request.percentile(1)).toBeGreaterThan(290);
    await run.send('GET', '/at-once');
    expect(findings.times.request.percentile(0)).toBeLessThan(findings.times.request.percentile(1)!);
  });
});

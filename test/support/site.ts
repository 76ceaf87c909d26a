/** A plain site without a waiting room that echoes each request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Site {
  url: string;
  server: Server;
  /** All requests received, oldest first. */
  asked: { method: string; url: string; headers: IncomingMessage['headers'] }[];
}

export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void = echo,
): Promise<Site> {
  const asked: Site['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method!, url: request.url!, headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  try {
    for await (const chunk of request) body += chunk;
  } catch {
    // The client has gone.
    return;
  }
  const { method, url, headers } = request;
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-from', 'site');
  response.end(JSON.stringify({ method, url, headers, body }));
}

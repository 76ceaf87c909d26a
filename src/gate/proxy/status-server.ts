/** Serves /health and /metrics on a separate port, because every path on the main port belongs to the site. */
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';

export function createStatusServer(registry: Registry): Server {
  return createServer(async ({ url }, response) => {
    if (url === '/health') response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    else if (url === '/metrics')
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    else response.writeHead(404).end();
  });
}

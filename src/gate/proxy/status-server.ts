/** Whether a gate lives, and its metrics, on a port of its own: whatever comes to the other one is the site's. */
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

/** Serves /health and /metrics on a separate port, because every path on the main port belongs to the site. */
import { createServer, type Server } from 'node:http';
import { createMetricsPage, type MetricsSource } from '../../platform/http-server/metrics-page.ts';

export function createStatusServer(source: MetricsSource): Server {
  const metrics = createMetricsPage(source);
  return createServer(({ url }, response) => {
    if (url === '/health') response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    else if (url === '/metrics') void metrics.answer(response);
    else response.writeHead(404).end();
  });
}

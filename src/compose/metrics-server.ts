/** Serves /metrics on METRICS_PORT, which is not open to visitors. */
import { createServer, type Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { createMetricsPage } from '../platform/http-server/metrics-page.ts';
import type { Context } from './context.ts';

/** undefined if METRICS_PORT is not set. */
export async function startMetricsServer({
  config,
  registry,
}: Pick<Context, 'registry'> & { config: Pick<Config, 'host' | 'metricsPort'> }): Promise<Server | undefined> {
  const { host, metricsPort: port } = config;
  if (port === 0) return undefined;
  const metrics = createMetricsPage(registry);
  const server = createServer(({ url }, response) => {
    if (url === '/metrics') void metrics.answer(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return server;
}

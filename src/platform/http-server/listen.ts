/** Starts listening; rejects if the port is taken. */
import type { Server } from 'node:net';

/** The URL, with the port that the system chose if `port` is 0. */
export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      const at = typeof address === 'object' ? address?.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${at}`);
    });
  });
}

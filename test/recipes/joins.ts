/** Guests who join through a proxy, each from an address of its own: the loopback network has many. */
import { request } from 'node:http';

/** Resolves to the status of each join. */
export function joinFromMany(url: string, eventId: string, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => joinFrom(`127.0.1.${index + 1}`, url, eventId)));
}

function joinFrom(localAddress: string, url: string, eventId: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const path = `/api/queue/check/${eventId}`;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method: 'POST', localAddress, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    sent.end();
  });
}

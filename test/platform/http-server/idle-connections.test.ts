import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { closeIdleConnections } from '../../../src/platform/http-server/idle-connections.ts';

it('closes connections without a request, and those whose response ends while the server closes', async () => {
  const app = fastify({ keepAliveTimeout: 600_000 });
  closeIdleConnections(app);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    app.get('/', (_request, reply) => {
      answer = () => reply.send('late');
      resolve();
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const [unused, used] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  const closed = Promise.all([once(unused.resume(), 'close'), once(used.resume(), 'close')]);
  await Promise.all([once(unused, 'connect'), once(used, 'connect')]);
  used.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await asked;
  const closing = app.close();
  await once(unused, 'close');
  answer();
  await Promise.all([closing, closed]);
  expect(used.bytesRead).toBeGreaterThan(0);
});

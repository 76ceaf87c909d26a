import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { type StoreProxy, startProxy } from './system/proxy.ts';

/** A server that sends everything back, behind a proxy, and a client of it. */
async function createEcho(): Promise<{ proxy: StoreProxy; client: Socket; received: () => string }> {
  const server: Server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy((server.address() as { port: number }).port, await freePort(), () => [
    { from: Buffer.from('11111'), to: Buffer.from('22222') },
  ]);
  const client = connect(proxy.port, '127.0.0.1');
  let received = '';
  client
    .on('error', () => {})
    .on('data', (chunk) => {
      received += chunk;
    });
  onTestFinished(async () => {
    client.destroy();
    await proxy.close();
    server.close();
  });
  return { proxy, client, received: () => received };
}

const written = (socket: Socket, text: string) => new Promise((resolve) => socket.write(text, resolve));

it('never lets bytes overtake each other when a delay ends', async () => {
  const { proxy, client, received } = await createEcho();
  proxy.set({ how: 'delay', ms: 80 });
  await written(client, 'one ');
  await until('the request to be under way', () => received() === '');
  proxy.set({ how: 'none' });
  await written(client, 'two');
  await until('both', () => received().length >= 7);
  expect(received()).toBe('one two');
});

it('replaces addresses in replies', async () => {
  const { client, received } = await createEcho();
  await written(client, 'at 11111');
  await until('the reply', () => received().length >= 8);
  expect(received()).toBe('at 22222');
});

it.each(['blackhole', 'mute'] as const)(
  'passes no reply on while it is a %s, and closes the connection at its end',
  async (how) => {
    const { proxy, client, received } = await createEcho();
    await written(client, 'before');
    await until('the reply', () => received() === 'before');
    proxy.set({ how });
    await written(client, 'lost');
    proxy.set({ how: 'none' });
    await until('the end of the connection', () => client.destroyed);
    expect(received()).toBe('before');
  },
);

it('loses every second reply together with its connection', async () => {
  const { proxy, client, received } = await createEcho();
  proxy.set({ how: 'lose-replies', each: 2 });
  await written(client, 'one');
  await until('the reply', () => received() === 'one');
  await written(client, 'two');
  await until('the end of the connection', () => client.destroyed);
  expect(received()).toBe('one');
});

it('closes new connections while it is cut', async () => {
  const { proxy } = await createEcho();
  proxy.set({ how: 'cut' });
  const other = connect(proxy.port, '127.0.0.1').on('error', () => {});
  await until('the end of the connection', () => other.destroyed);
  proxy.set({ how: 'none' });
});

import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runApp } from '../../support/running-app.ts';
import { until } from '../../support/until.ts';

it('closes a connection without requests when the server stops', async () => {
  const app = await runApp();
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  await until('the connection', () => socket.readyState === 'open');
  // A response on a later connection proves that the server has accepted the earlier one.
  await fetch(`${app.url}/health`, { headers: { connection: 'close' } });
  let isClosed = false;
  socket.on('error', () => {});
  socket.once('close', () => {
    isClosed = true;
  });
  await app.stop();
  await until('the connection to close', () => isClosed);
  expect(isClosed).toBe(true);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createSendRaw } from '../../../src/platform/fast-http/raw-response.ts';

it('sends raw responses on this version of Node (a failure means slower responses, not wrong ones)', async () => {
  const sent: boolean[] = [];
  const server = createServer((_request, response) => {
    sent.push(sendRaw(response, 'no-store', '{}', 2));
    if (!sent.at(-1)) response.end('{}');
  });
  const sendRaw = createSendRaw(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await answer.text()).toBe('{}');
  expect(sent).toEqual([true]);
});

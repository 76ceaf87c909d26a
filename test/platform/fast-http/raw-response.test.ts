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

it('leaves headers that it cannot write safely to Node, and writes the others', async () => {
  const unsafe = ['a\r\nset-cookie: x=1', 'a\nb', '\u0000', 'é', '\u{1f3ab}'];
  const fields = [
    ['x-fairline-visitor', 'mina'],
    ['set-cookie', 'a=1', 'set-cookie', 'b=2'],
    ...unsafe.map((value) => ['x-fairline-visitor', value]),
    ['content-type', 'text/plain'],
    ['referrer-policy', 'no-referrer'],
  ];
  const sent: boolean[] = [];
  const server = createServer(({ url }, response) => {
    sent.push(sendRaw(response, 'no-store', '', 0, undefined, fields[Number(url?.slice(1))]!));
    if (!sent.at(-1)) response.end();
  });
  const sendRaw = createSendRaw(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const answers: Headers[] = [];
  for (const index of fields.keys()) {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${index}`);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    answers.push(answer.headers);
  }
  expect(sent).toEqual([true, true, ...unsafe.map(() => false), false, false]);
  expect(answers[0]!.get('x-fairline-visitor')).toBe('mina');
  expect(answers[1]!.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(answers.slice(2).flatMap((headers) => headers.getSetCookie())).toEqual([]);
});

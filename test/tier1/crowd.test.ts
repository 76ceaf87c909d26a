/** A crowd over real connections: every number once, no gaps, and few writes for many devices. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runApp } from '../support/running-app.ts';

const DEVICES = 100_000;
const CONNECTIONS = 50;
/** Concurrent requests per connection. */
const DEPTH = 20;
const REQUEST = 'POST /vwr/assign/concert HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';

/** Takes `count` numbers over one connection, each for a new device. */
function takeNumbers(port: number, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const positions: number[] = [];
    let sent = 0;
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const send = (wanted: number) => {
      const more = Math.min(wanted, count - sent);
      sent += more;
      if (more > 0) socket.write(REQUEST.repeat(more));
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => send(DEPTH));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const answers = [...text.matchAll(/"position":(\d+),[^}]*\}/g)];
      const last = answers.at(-1);
      if (last === undefined) return;
      text = text.slice(last.index + last[0].length);
      for (const [, position] of answers) positions.push(Number(position));
      send(answers.length);
      if (positions.length < count) return;
      socket.destroy();
      resolve(positions);
    });
  });
}

describe('a crowd in tier 1', () => {
  it('gets the numbers 1 to n without duplicates or gaps, with one write per turn of the event loop', async () => {
    const { url, context } = await runApp({ env: { LIMIT_VWR_ASSIGN_PER_IP: '0', LOG_LEVEL: 'silent' } });
    const { store, switching } = context.tier1;
    await switching.activate('concert');
    const batches: number[] = [];
    const assign = store.assign.bind(store);
    store.assign = (eventId, devices) => {
      batches.push(devices.length);
      return assign(eventId, devices);
    };
    const port = Number(new URL(url).port);
    const taken = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => takeNumbers(port, DEVICES / CONNECTIONS)),
    );
    const positions = Uint32Array.from(taken.flat()).sort();
    expect(positions.length).toBe(DEVICES);
    expect(positions.every((position, i) => position === i + 1)).toBe(true);
    expect((await store.findCounters('concert'))?.nextPosition).toBe(DEVICES);
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(DEVICES);
    expect(batches.length).toBeLessThan(DEVICES / 4);
  });
});

import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerPing } from '../../../src/platform/redis/server-ping.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the pings of a server', () => {
  it('leave a connection without an answer once, however long it takes to close', () => {
    let left = 0;
    const connection = Object.assign(new EventEmitter(), {
      status: 'ready',
      ping: () => new Promise(() => {}),
      disconnect: () => {
        left += 1;
      },
    });
    const server = { options: { host: '127.0.0.1', port: 6379 }, duplicate: () => connection };
    const ping = new ServerPing(server as unknown as Redis);
    connection.emit('ready');
    vi.advanceTimersByTime(5_000);
    expect(left).toBe(1);
    expect(ping.silence()).toMatch('does not answer');
    connection.emit('close');
    connection.emit('ready');
    vi.advanceTimersByTime(5_000);
    expect(left).toBe(2);
    ping.stop();
  });
});

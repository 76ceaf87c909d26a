import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createConsumer } from '../../src/records/consumer.ts';
import type { Effects } from '../../src/records/effects.ts';
import { handleEach } from '../../src/records/handling.ts';
import { createTestClock } from '../support/test-clock.ts';

const record = {
  id: '7c0e6a52-0d1f-4c1b-9a43-4a1d4f0f6f1e',
  type: 'TRAFFIC_COUNTED',
  key: 'concert',
  occurredAt: '2027-03-01T01:00:00.000Z',
  sagaId: 'concert',
  payload: { eventId: 'concert', joined: 1, admitted: 0 },
};
const message = { topic: 'traffic-events', key: 'concert', value: JSON.stringify(record) };

/** A consumer whose effects always fail with this error. */
function createFailing(error: Error) {
  const bury = vi.fn(async () => {});
  const effects: Effects = { once: () => Promise.reject(error), bury };
  const handle = createConsumer({
    group: 'test-group',
    handling: handleEach({ TRAFFIC_COUNTED: async () => {} }),
    effects,
    tries: 3,
    retryMs: 1,
    clock: createTestClock(),
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  });
  return { handle, bury };
}

describe('a database that is away', () => {
  it.each(['57P01', 'ECONNREFUSED', '08006', '40P01'])(
    'does not count as a failure of the record (%s)',
    async (code) => {
      const away = Object.assign(new Error('the database is away'), { code });
      const { handle, bury } = createFailing(away);
      for (const messages of [[message], [message, message]]) await expect(handle(messages)).rejects.toBe(away);
      expect(bury).not.toHaveBeenCalled();
    },
  );
});

describe('a record that the database refuses', () => {
  it.each(['23514', '57014'])('is buried after its tries (%s)', async (code) => {
    const { handle, bury } = createFailing(Object.assign(new Error('no'), { code }));
    await handle([message]);
    expect(bury).toHaveBeenCalledOnce();
  });
});

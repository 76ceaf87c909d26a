import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createAppend } from '../../src/records/postgres/append.ts';
import { createRecordsMetrics } from '../../src/records/records-metrics.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';
import { traffic } from './records-fixture.ts';

it('reports the size and age of the outbox in a process that only relays', async () => {
  const { context, anyone } = await createTestApp({ KAFKA_BROKERS: `127.0.0.1:${await freePort()}` });
  const { database, records } = context.shop!;
  await (await database.get()).transaction().execute((tx) => createAppend()(tx, traffic('concert', 1)));
  await expect(records.relay()).rejects.toThrow();
  const metrics = (await anyone('GET', '/metrics')).body;
  expect(metrics).toMatch(/^fairline_outbox_waiting 1$/m);
  expect(Number(/^fairline_outbox_age_seconds (.*)$/m.exec(metrics)![1])).toBeGreaterThan(0);
});

it('does not wait for a log that hangs; a slow value is that of the next look', async () => {
  const registry = new Registry();
  let answer = (_: Map<string, number>) => {};
  let asked = 0;
  createRecordsMetrics({
    registry,
    outbox: { measure: async () => ({ waiting: 3, oldestMs: 2_000 }) },
    log: {
      measureLag: () => {
        asked += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
    groups: new Map([['stats', ['payment-events']]]),
    isInvolved: () => true,
  });
  const lag = /^fairline_records_lag\{/m;
  for (let looks = 0; looks < 2; looks += 1) {
    const text = await registry.metrics();
    expect(text).toMatch(/^fairline_outbox_age_seconds 2$/m);
    expect(text).not.toMatch(lag);
  }
  expect(asked).toBe(1);
  answer(new Map([['payment-events', 7]]));
  expect(await registry.metrics()).toMatch(/^fairline_records_lag\{group="stats",topic="payment-events"\} 7$/m);
  const next = registry.metrics();
  answer(new Map([['payment-events', 0]]));
  expect(await next).toMatch(/^fairline_records_lag\{group="stats",topic="payment-events"\} 0$/m);
  expect(asked).toBe(2);
});

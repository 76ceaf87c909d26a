import { expect, it } from 'vitest';
import { createAppend } from '../../src/records/postgres/append.ts';
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

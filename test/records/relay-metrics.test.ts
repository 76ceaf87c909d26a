import { expect, it } from 'vitest';
import { createAppend } from '../../src/records/postgres/append.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';
import { traffic } from './records-fixture.ts';

it('a process that only carries records tells what waits in the outbox and for how long', async () => {
  const { context, anyone } = await createTestApp({ KAFKA_BROKERS: `127.0.0.1:${await freePort()}` });
  const { database, records } = context.shop!;
  await (await database.get()).transaction().execute((tx) => createAppend()(tx, traffic('concert', 1)));
  await expect(records.relay()).rejects.toThrow();
  const metrics = (await anyone('GET', '/metrics')).body;
  expect(metrics).toMatch(/^fairline_outbox_waiting 1$/m);
  expect(Number(/^fairline_outbox_age_seconds (.*)$/m.exec(metrics)![1])).toBeGreaterThan(0);
});

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { isDatabaseAway } from '../../../src/platform/database/database-errors.ts';
import { connectPostgres } from '../../../src/platform/database/postgres.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { describeWithPostgres, sharedPostgres } from '../../support/postgres-server.ts';

/** A way to a server whose replies can be held back. */
async function startSlowWay(target: URL): Promise<{ url: string; hold(): void; letGo(): void }> {
  const fromServer: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    fromServer.push(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of fromServer) socket.destroy();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    // Replies stay in the socket until it is resumed.
    hold() {
      for (const socket of fromServer) socket.pause();
    },
    letGo() {
      for (const socket of fromServer) socket.resume();
    },
  };
}

describeWithPostgres('a statement of a transaction that times out', () => {
  it('closes its connection, so that nobody gets one in a failed transaction', async () => {
    const way = await startSlowWay(new URL(await (await sharedPostgres()).createDatabase()));
    const database = await connectPostgres(way.url, 1);
    onTestFinished(() => database.destroy());
    const failing = inTransaction(database, async (tx) => {
      await sql`select 1`.execute(tx);
      way.hold();
      await sql`select 1 / 0`.execute(tx);
    });
    const error = await failing.catch((reason: unknown) => reason);
    expect(isDatabaseAway(error), String(error)).toBe(true);
    way.letGo();
    const { rows } = await inTransaction(database, (tx) => sql<{ one: number }>`select 1 as one`.execute(tx));
    expect(rows).toEqual([{ one: 1 }]);
  });
});

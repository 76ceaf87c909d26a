import { beforeAll, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { rebuildStats } from '../../src/stats/rebuild.ts';
import { TrafficCounter } from '../../src/stats/traffic.ts';
import { createChainWorld } from '../payments/chain/chain-world.ts';
import { describeOnEachDatabase, onPostgres, type SuiteDatabase } from '../support/databases.ts';
import { describeWithKafka, sharedKafka } from '../support/kafka-server.ts';

function statistics(suite: SuiteDatabase, kafka: () => string | undefined): void {
  /** Two events over two days (of Seoul, where the second begins at 15:00 UTC), with a little of everything. */
  async function createHistory() {
    const world = await createChainWorld(suite, kafka());
    const traffic = new TrafficCounter();
    const [first, second] = [await world.createEvent(), await world.createEvent()];
    for (let no = 0; no < 10; no += 1) traffic.joined(first);
    for (let no = 0; no < 5; no += 1) traffic.admitted(first);
    await traffic.tell({ database: suite.lazy, append: world.append, clock: world.clock });
    const [one, two] = [await world.reserve(first, 'ann', 'A-1-1'), await world.reserve(first, 'bob', 'A-1-2')];
    await world.hold(first, 'cid', 'A-1-3');
    world.clock.advance(15 * 3_600_000);
    await world.cashier.cancel(two);
    await world.buy(await world.list(one, 'ann', 20_000), 'dan', 'transfer');
    await world.reserve(second, 'eve', 'A-1-1');
    const { membershipId } = await world.memberships.subscribe('eve');
    await world.buy(membershipId, 'eve', 'membership');
    await world.settle();
    return { ...world, first, second };
  }

  it('add up counts and money per event, day and hour', async () => {
    const { stats, first, second } = await createHistory();
    expect(await stats.total({ eventId: first })).toEqual({
      counts: {
        ...{ joined: 10, admitted: 5, created: 3, confirmed: 2, cancelled: 1 },
        ...{ transfers: 1, transfersCancelled: 0, memberships: 0 },
      },
      money: [{ currency: 'KRW', revenue: 100_000, refunds: 50_000, transferred: 20_000, memberships: 0 }],
    });
    const days = await stats.listDays({});
    expect(days.map(({ day, counts }) => [day, counts.created, counts.cancelled, counts.memberships])).toEqual([
      ['2026-01-01', 3, 0, 0],
      ['2026-01-02', 1, 1, 1],
    ]);
    expect(await stats.listDays({ from: '2026-01-02', eventId: second })).toMatchObject([{ counts: { confirmed: 1 } }]);
    expect(await stats.listDays({ to: '2025-12-31' })).toEqual([]);
    expect((await stats.listHours({})).map(({ hour }) => hour)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T15:00:00Z',
    ]);
    expect((await stats.listEvents({})).map(({ eventId }) => eventId).sort()).toEqual([first, second].sort());
  });

  it('come to the same numbers when they are made anew from the log', async () => {
    const { stats, log, counter } = await createHistory();
    const all = async () => ({ hours: await stats.listHours({}), events: await stats.listEvents({}) });
    const before = await all();
    await rebuildStats({ store: stats, log, handle: counter.handle });
    expect(await all()).toEqual(before);
    // Only from the log: what was in the tables does not matter.
    await suite.db
      .transaction()
      .execute((tx) => stats.add(tx, [{ at: new Date(0), eventId: 'forged', counts: { created: 7 } }]));
    expect(await all()).not.toEqual(before);
    await rebuildStats({ store: stats, log, handle: counter.handle });
    expect(await all()).toEqual(before);
  });
}

describeOnEachDatabase('statistics', databaseSchema, (suite) => statistics(suite, () => undefined));

describeWithKafka('statistics over Kafka', () => {
  let address: string;
  beforeAll(async () => {
    address = await sharedKafka();
  });
  statistics(onPostgres(databaseSchema), () => address);
});

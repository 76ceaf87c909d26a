import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { Stream } from '../../../src/http/stream.ts';
import type { PresentStanding } from '../../../src/line/model/standing.ts';
import { createFindTarget } from '../../../src/line/model/target.ts';
import { entryKey } from '../../../src/line/store/redis/scripts/keys.ts';
import { createEntryTokens } from '../../../src/line/tokens/entry-tokens.ts';
import { Hub } from '../../../src/live/hub/hub.ts';
import { createLiveMetrics } from '../../../src/live/hub/live-metrics.ts';
import { Standings } from '../../../src/live/hub/standings.ts';
import { Dispatcher } from '../../../src/live/redis/dispatcher.ts';
import { RedisAdmissionFeed } from '../../../src/live/redis/redis-admission-feed.ts';
import { createRedisClient } from '../../../src/platform/redis/connect.ts';
import { awaitReady } from '../../../src/platform/redis/connection.ts';
import { openRedisStore } from '../../line/redis/open-redis-store.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const log = pino({ level: 'silent' });

describeWithRedis('a hint alone', () => {
  it('delivers the admission to a stream without a presence pass', async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const client = createRedisClient(server);
    await awaitReady(client);
    onTestFinished(() => client.disconnect());
    const store = await openRedisStore(server);
    onTestFinished(() => store.close());
    await store.putRoom('concert', { maxActive: 0 });

    const clock = createTestClock();
    const feed = new RedisAdmissionFeed({ client, connect: () => createRedisClient(server), log });
    const metrics = createLiveMetrics(new Registry());
    const hub = new Hub({ visits: store, feed, metrics, log, clock, streamsPerVisitor: 2 });
    const findTarget = createFindTarget('/events/{eventId}/seats');
    const entryTokens = createEntryTokens(['a secret of thirty-two characters'], clock);
    // Neither the presence pass nor the broadcast runs here.
    const standings = new Standings({
      hub,
      visits: store,
      feed,
      metrics,
      entryTokens,
      findTarget,
      log,
      clock,
      tickMs: 1_000,
    });
    await feed.start((eventId, visitors) => standings.noteAdmissions(eventId, visitors));
    onTestFinished(() => feed.stop());

    const output = new PassThrough();
    let received = '';
    output.on('data', (chunk) => {
      received += chunk;
    });
    const joined = await store.join('concert', 'a');
    if (joined.outcome !== 'joined') throw new Error(joined.outcome);
    const standing = joined.standing as PresentStanding;
    const stream = new Stream(output, 10_000);
    standings.open({
      eventId: 'concert',
      visitor: 'a',
      stream,
      standing,
      crowd: joined.crowd,
      lastEventId: undefined,
    });
    await until('the instance to be known', async () => (await client.hget('{concert}:where', 'a')) !== null);

    await store.putRoom('concert', { maxActive: 1 });
    await store.tick('concert');
    expect(received).not.toContain('event: admitted');
    await new Dispatcher({ client, entryKey, listActiveEvents: async () => ['concert'] }).runOnce();
    await until('the admission', () => received.includes('event: admitted'));
  });
});

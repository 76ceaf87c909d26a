import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Stream, type StreamOutput } from '../../src/http/stream.ts';
import type { RoomChange } from '../../src/line/model/room-settings.ts';
import type { PresentStanding } from '../../src/line/model/standing.ts';
import { createFindTarget } from '../../src/line/model/target.ts';
import { MemoryLineStore } from '../../src/line/store/memory/memory-line-store.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { LocalAdmissionFeed } from '../../src/live/feed/local-admission-feed.ts';
import { Hub } from '../../src/live/hub/hub.ts';
import { createLiveMetrics } from '../../src/live/hub/live-metrics.ts';
import { Standings } from '../../src/live/hub/standings.ts';
import { runBroadcastOnce } from '../../src/live/roles/broadcast.ts';
import { runPresenceOnce } from '../../src/live/roles/presence.ts';
import { testRoomDefaults } from '../support/rooms.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const TICK_MS = 1_000;

/** Accepts all writes, and counts them as unread while nobody reads. */
class FakeOutput implements StreamOutput {
  text = '';
  writableLength = 0;
  isRead = true;
  hasEnded = false;
  destroyed = false;

  write(text: string): void {
    this.text += text;
    if (!this.isRead) this.writableLength += text.length;
  }

  end(text: string): void {
    this.write(text);
    this.hasEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

async function createLive(room: RoomChange = {}) {
  const clock = createTestClock();
  const log = pino({ level: 'silent' });
  const defaults = testRoomDefaults();
  const store = await MemoryLineStore.open({ dir: tempFolder(), defaults, tickMs: TICK_MS, clock, log, sync: false });
  onTestFinished(() => store.close());
  await store.putRoom('concert', room);
  const feed = new LocalAdmissionFeed();
  const registry = new Registry();
  const metrics = createLiveMetrics(registry);
  const hub = new Hub({ visits: store, feed, metrics, log, clock, streamsPerVisitor: 2 });
  const findTarget = createFindTarget('/events/{eventId}/seats');
  const entryTokens = createEntryTokens(['a secret of thirty-two characters'], clock);
  const standings = new Standings({
    hub,
    visits: store,
    feed,
    metrics,
    entryTokens,
    findTarget,
    log,
    clock,
    tickMs: TICK_MS,
  });
  await feed.start((eventId, visitors) => standings.noteAdmissions(eventId, visitors));

  async function open(visitor: string, lastEventId?: string) {
    const joined = await store.join('concert', visitor);
    if (!('standing' in joined)) throw new Error(joined.outcome);
    const output = new FakeOutput();
    const stream = new Stream(output, 1_000);
    const standing = joined.standing as PresentStanding;
    const watcher = standings.open({
      eventId: 'concert',
      visitor,
      stream,
      standing,
      crowd: joined.crowd,
      lastEventId,
    });
    return { output, stream, watcher };
  }

  return {
    store,
    hub,
    feed,
    standings,
    clock,
    open,
    broadcast: () => runBroadcastOnce({ hub, admissions: store, metrics, log, clock, tickMs: TICK_MS }),
    presence: () => runPresenceOnce({ hub, standings, clock }),
    metric: async (name: string) => (await registry.getSingleMetric(name)!.get()).values,
  };
}

describe('the hub', () => {
  it('starts a stream with the retry time, the room and the position', async () => {
    const { open } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    expect(output.take()).toMatch(
      /^retry: \d{4}\n\nid: \S+\nevent: room\n.*\n\nevent: position\ndata: \{"number":1,.*\n\n$/,
    );
  });

  it('does not repeat a room frame that the client has', async () => {
    const { open } = await createLive({ maxActive: 0 });
    const first = (await open('a')).output.take();
    const id = /^id: (\S+)$/m.exec(first)![1];
    expect((await open('b', id)).output.take()).not.toContain('event: room');
    expect((await open('c', 'something else')).output.take()).toContain('event: room');
  });

  it('sends a position once per pulse, near the head every second', async () => {
    const { store, open, broadcast, clock } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    output.take();
    clock.advance(TICK_MS);
    await store.tick('concert');
    await broadcast();
    expect(output.take()).toContain('"position":1');
    clock.advance(TICK_MS);
    await broadcast();
    expect(output.take()).toBe('');
    await store.tick('concert');
    await broadcast();
    expect(output.take()).toContain('"position":1');
  });

  it('sends ready once in a claim room, and gone if the visitor did not enter in time', async () => {
    const { store, open, presence, clock } = await createLive({ maxActive: 0, admission: 'claim', claimTtlMs: 9_000 });
    const { output, watcher } = await open('a');
    output.take();
    await store.putRoom('concert', { maxActive: 1 });
    await store.tick('concert');
    clock.advance(3_000);
    await presence();
    expect(output.take()).toMatch(/^event: ready\ndata: .*"readyForEntry":true,"enterBy":"2026-01-01T00:00:12.000Z"/);
    clock.advance(3_000);
    await presence();
    expect(output.take(), 'a look neither repeats ready nor extends it').toBe('');
    expect(watcher.standing.state).toBe('admitted');
    clock.advance(6_000);
    await presence();
    expect(output.take()).toContain('event: gone\ndata: {"reason":"lapsed"}');
  });

  it('sends the admission to a visitor who entered elsewhere, and nothing stale', async () => {
    const { store, standings, open, presence, clock } = await createLive({ maxActive: 1, admission: 'claim' });
    const { output, watcher } = await open('a');
    expect(output.take()).toContain('event: ready');
    const before = await store.find('concert', 'a');
    await store.enter('concert', 'a');
    clock.advance(30_000);
    await presence();
    expect(output.take()).toContain('event: admitted');
    if (before.outcome === 'found') standings.send(watcher, before.standing, before.crowd);
    expect(output.take()).toBe('');
  });

  it('sends positions less often further back', async () => {
    const { store, open, broadcast, clock } = await createLive({ maxActive: 0 });
    for (let i = 0; i < 1_500; i += 1) await store.join('concert', `v${i}`);
    const { output } = await open('last');
    output.take();
    const sentAt: number[] = [];
    for (let second = 1; second <= 10; second += 1) {
      clock.advance(TICK_MS);
      await store.tick('concert');
      await broadcast();
      if (output.take().includes('event: position')) sentAt.push(second);
    }
    expect(sentAt).toEqual([5, 10]);
  });

  it('sends a room change to everyone at once, and only once', async () => {
    const { store, open, broadcast } = await createLive({ maxActive: 0 });
    const streams = [await open('a'), await open('b'), await open('b')];
    for (const { output } of streams) output.take();
    await store.putRoom('concert', { state: 'paused', message: { en: 'Back soon.' } });
    await store.tick('concert');
    await broadcast();
    for (const { output } of streams) {
      expect(output.take()).toMatch(/"state":"paused",.*"message":\{"en":"Back soon\."\}/);
    }
    await broadcast();
    for (const { output } of streams) expect(output.take()).toBe('');
  });

  it('sends a heartbeat after 15 quiet seconds', async () => {
    const { open, broadcast, clock } = await createLive({ maxActive: 1 });
    const { output } = await open('a');
    output.take();
    clock.advance(14_999);
    await broadcast();
    expect(output.take()).toBe('');
    clock.advance(1);
    await broadcast();
    expect(output.take()).toBe(':\n\n');
    await broadcast();
    expect(output.take()).toBe('');
  });

  it('looks up a hinted admission, and sends it once', async () => {
    const { store, open, feed } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    await store.putRoom('concert', { maxActive: 1 });
    await store.tick('concert');
    feed.announce('concert', ['a', 'somebody else']);
    feed.announce('concert', ['a']);
    await until('the admission', () => output.text.includes('event: admitted'));
    expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'active' } });
    expect(output.take().match(/event: admitted/g)).toHaveLength(1);
  });

  it('notices an admission between the join and the registration', async () => {
    const { store, open, feed } = await createLive({ maxActive: 0 });
    feed.connected = async () => {
      await store.putRoom('concert', { maxActive: 1 });
      await store.tick('concert');
    };
    const { output } = await open('a');
    await until('the admission', () => output.text.includes('event: admitted'));
  });

  it('ignores a hint that the store does not confirm', async () => {
    const { open, standings, hub } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    output.take();
    await standings.lookUp([hub.find('concert', 'a')!]);
    standings.noteAdmissions('concert', ['a']);
    await standings.lookUp([hub.find('concert', 'a')!]);
    expect(output.take()).toBe('');
  });

  it('finds an admission without a hint in the regular look', async () => {
    const { store, open, presence, clock } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    await store.putRoom('concert', { maxActive: 1 });
    await store.tick('concert');
    clock.advance(30_000);
    await presence();
    expect(output.take()).toContain('event: admitted');
  });

  it('finds it sooner when the head of the line has passed the visitor', async () => {
    const { store, open, broadcast, presence, clock } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    await open('b');
    await store.putRoom('concert', { maxActive: 1 });
    clock.advance(TICK_MS);
    await store.tick('concert');
    await broadcast();
    await presence();
    expect(output.take()).toContain('event: admitted');
  });

  it('finds it although somebody ahead has returned, and although a position was sent just now', async () => {
    const { store, open, broadcast, presence, clock } = await createLive({ maxActive: 0 });
    await store.join('concert', 'away');
    const { output } = await open('a');
    await open('b');
    for (let second = 0; second < 13; second += 1) {
      clock.advance(TICK_MS);
      await store.look('concert', 'a');
      await store.look('concert', 'b');
      await store.tick('concert');
    }
    await store.putRoom('concert', { maxActive: 1 });
    clock.advance(TICK_MS);
    await store.tick('concert');
    expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'admitted' } });
    await store.look('concert', 'away');
    clock.advance(TICK_MS);
    const tick = await store.tick('concert');
    expect(tick, 'the head is before the admitted visitor').toMatchObject({ pulse: { ruler: { numbers: [1, 3] } } });
    await broadcast();
    await presence();
    expect(output.take()).toContain('event: admitted');
  });

  it('repeats a look that failed after a hint in the next pass', async () => {
    const { store, open, standings, presence } = await createLive({ maxActive: 0 });
    const { output } = await open('a');
    await store.putRoom('concert', { maxActive: 1 });
    await store.tick('concert');
    const { look } = store;
    store.look = () => Promise.reject(new Error('the store is away'));
    standings.noteAdmissions('concert', ['a']);
    await expect(presence()).rejects.toThrow('away');
    store.look = look;
    await presence();
    expect(output.take()).toContain('event: admitted');
  });

  it('renews the token of an active visitor with the same id', async () => {
    const { open, presence, clock } = await createLive({ maxActive: 1, activeTtlMs: 60_000 });
    const { output } = await open('a');
    const first = entryOf(output.take());
    clock.advance(29_000);
    await presence();
    expect(output.take()).toBe('');
    clock.advance(29_000);
    await presence();
    const renewed = entryOf(output.take());
    expect(renewed.jti).toBe(first.jti);
    expect(renewed.exp).toBe(first.exp + 58);
  });

  it('keeps connected visitors from being passed over, and gives a closed connection time to come back (2)', async () => {
    const { store, hub, open, presence, clock } = await createLive({ maxActive: 0 });
    await store.tick('concert');
    const first = await open('a');
    for (const visitor of ['b', 'c']) await open(visitor);
    await store.join('concert', 'silent');
    const pass = async (seconds: number) => {
      const admitted: string[] = [];
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await presence();
        const tick = await store.tick('concert');
        if (tick.outcome === 'ticked') admitted.push(...tick.admitted.map(({ visitor }) => visitor));
      }
      return admitted;
    };
    await pass(60);
    hub.lose(first.watcher, first.stream);
    await pass(5);
    await store.putRoom('concert', { maxActive: 2 });
    expect(await pass(1)).toEqual(['a', 'b']);
    await store.putRoom('concert', { maxActive: 9 });
    expect(await pass(2)).toEqual(['c']);
    expect((await store.findRoom('concert'))?.crowd).toMatchObject({ waiting: 1, away: 1 });
    await open('silent');
    expect(await pass(1)).toEqual(['silent']);
  });

  it('keeps a connected visitor from lapsing, and ends the stream of one whose place is gone', async () => {
    const { store, hub, open, presence, clock } = await createLive({ maxActive: 0, seenTtlMs: 9_000 });
    const { output } = await open('a');
    for (let i = 0; i < 10; i += 1) {
      clock.advance(3_000);
      await presence();
      await store.sweep('concert');
    }
    expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'waiting', number: 1 } });
    await store.leave('concert', 'a');
    clock.advance(3_000);
    await presence();
    expect(output.take()).toContain('id: end\nevent: gone\ndata: {"reason":"lapsed"}\n\n');
    expect(output.hasEnded).toBe(true);
    expect(hub.size).toBe(0);
  });

  it('ends the oldest stream when a visitor exceeds the limit', async () => {
    const { hub, open, metric } = await createLive({ maxActive: 0 });
    const [first, second, third] = [await open('a'), await open('a'), await open('a')];
    expect(first.output.text).toContain('event: bye\ndata: {"reason":"replaced"}');
    expect([first, second, third].map(({ output }) => output.hasEnded)).toEqual([true, false, false]);
    expect(hub.size).toBe(2);
    expect(await metric('fairline_streams_dropped_total')).toMatchObject([
      { labels: { reason: 'replaced' }, value: 1 },
    ]);
  });

  it('drops only the client that does not read', async () => {
    const { store, hub, open, broadcast, metric } = await createLive({ maxActive: 0 });
    const [slow, other] = [await open('a'), await open('b')];
    slow.output.isRead = false;
    for (let i = 0; i < 100 && !slow.output.hasEnded; i += 1) {
      await store.putRoom('concert', { message: { en: `Message ${i}` } });
      await store.tick('concert');
      await broadcast();
    }
    expect(slow.output.text).toMatch(/event: bye\ndata: \{"reason":"slow"\}\n\n$/);
    expect(slow.output.writableLength).toBeLessThan(1_300);
    expect(other.output.hasEnded).toBe(false);
    expect(hub.size).toBe(1);
    expect(await metric('fairline_streams_dropped_total')).toMatchObject([{ labels: { reason: 'slow' }, value: 1 }]);
  });

  it('reports a disconnect to the store when the last stream of a visitor closes, not before', async () => {
    const { store, hub, open } = await createLive({ maxActive: 0, disconnectGraceMs: 0 });
    const [first, second] = [await open('a'), await open('a')];
    hub.lose(first.watcher, first.stream);
    expect(await store.find('concert', 'a')).toMatchObject({ standing: { state: 'waiting' } });
    hub.lose(second.watcher, second.stream);
    hub.lose(second.watcher, second.stream);
    await until('the place to be given up', async () => (await store.findRoom('concert'))?.crowd.waiting === 0);
    expect(hub.size).toBe(0);
  });

  it('reports no disconnect for a visitor who is connected to another process or has reconnected', async () => {
    const { store, hub, feed, open } = await createLive({ maxActive: 0, disconnectGraceMs: 0 });
    const reported: boolean[] = [];
    const answer = async (isLast: boolean) => {
      reported.push(isLast);
      return isLast;
    };
    const [first, second] = [await open('a'), await open('b')];
    feed.disconnected = () => answer(false);
    hub.lose(first.watcher, first.stream);
    feed.disconnected = async () => {
      await open('b');
      return answer(true);
    };
    hub.lose(second.watcher, second.stream);
    await until('both disconnects', () => reported.length === 2);
    expect((await store.findRoom('concert'))?.crowd.waiting).toBe(2);
  });

  it('sends bye to everyone when drained, and keeps all places', async () => {
    const { store, hub, open } = await createLive({ maxActive: 0, disconnectGraceMs: 0 });
    const streams = [await open('a'), await open('b')];
    await hub.drain();
    for (const { output, watcher, stream } of streams) {
      expect(output.text).toMatch(/event: bye\ndata: \{"reason":"stopping"\}\n\n$/);
      hub.lose(watcher, stream);
    }
    expect((await store.findRoom('concert'))?.crowd.waiting).toBe(2);
    expect(hub.isDraining).toBe(true);
  });

  it('keeps the place of a visitor whose stream breaks while the process stops', async () => {
    const { store, hub, open } = await createLive({ maxActive: 0, disconnectGraceMs: 0 });
    const { watcher, stream } = await open('a');
    hub.lose(watcher, stream);
    await hub.drain();
    await new Promise(setImmediate);
    expect((await store.findRoom('concert'))?.crowd.waiting).toBe(1);
  });
});

/** The claims of the entry token in a frame. */
function entryOf(text: string): { jti: string; exp: number } {
  const [, claims] = /"entryToken":"[^".]+\.([^".]+)/.exec(text)!;
  return JSON.parse(Buffer.from(claims!, 'base64url').toString());
}

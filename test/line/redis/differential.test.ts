import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { emptyTally, type Tally } from '../../../src/line/model/line.ts';
import type { TickOutcome } from '../../../src/line/store/admissions.ts';
import { MemoryLineStore } from '../../../src/line/store/memory/memory-line-store.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { testRoomDefaults } from '../../support/rooms.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { thorough } from '../../support/thorough.ts';
import { histories, runStep, type Step } from './history-commands.ts';
import { openRedisStore } from './open-redis-store.ts';

/** Histories run side by side, because one alone mostly waits for its next answer. */
const LANES = 8;
const HISTORIES_PER_LANE = 100 * thorough;

describeWithRedis('the Redis store and the rules', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  it(
    `answer ${LANES * HISTORIES_PER_LANE} random histories in the same words`,
    async () => {
      const lanes = await Promise.all(Array.from({ length: LANES }, (_, lane) => openLane(server, lane)));
      await Promise.all(
        lanes.map(({ replay }) => fc.assert(fc.asyncProperty(histories, replay), { numRuns: HISTORIES_PER_LANE })),
      );
      const passedOver = lanes.reduce((total, { tally }) => total + tally.passedOver, 0);
      expect(passedOver, 'visitors passed over in these histories').toBeGreaterThan(0);
    },
    300_000 * thorough,
  );
});

/** Two stores and a clock; each history gets an event of its own. */
async function openLane(server: RedisServer, lane: number) {
  const clock = createTestClock();
  const defaults = testRoomDefaults({
    activeTtlMs: 8_000,
    activeMaxTtlMs: 20_000,
    claimTtlMs: 4_000,
    // In half of them the silent lapse, in the others they are passed over first.
    seenTtlMs: lane % 2 === 0 ? 6_000 : 60_000,
  });
  const log = pino({ level: 'silent' });
  // The same seeds on both, or they would draw different lots.
  const createSecrets = () => ({ seed: '5e'.repeat(32), lotKey: '7e'.repeat(32) });
  const options = { dir: tempFolder(), defaults, tickMs: 1_000, clock, log, sync: false, createSecrets };
  const memory = await MemoryLineStore.open(options);
  onTestFinished(() => memory.close());
  const redis = await openRedisStore({ url: server.url }, { defaults, createSecrets, now: () => clock.now() });
  // A second try has the same server.
  const run = randomUUID().slice(0, 8);
  let count = 0;
  const tally = emptyTally();
  const replay = async (history: Step[]) => {
    count += 1;
    const eventId = `lane-${lane}-${run}-${count}`;
    for (const [index, step] of history.entries()) {
      if (step.do === 'advance') clock.advance(step.ms);
      const [expected, actual] = await Promise.all(
        [memory, redis].map((store) => runStep(store, eventId, step, clock.now())),
      );
      expect(actual, `step ${index}, ${JSON.stringify(step)}`).toEqual(expected);
      if (step.do === 'tick') addTally(tally, expected as TickOutcome);
    }
    const rooms = await Promise.all([memory, redis].map((store) => runStep(store, eventId, { do: 'room' }, 0)));
    expect(rooms[1], 'the room in the end').toEqual(rooms[0]);
  };
  return { replay, tally };
}

function addTally(tally: Tally, tick: TickOutcome): void {
  if (tick.outcome !== 'ticked') return;
  tally.passedOver += tick.tally.passedOver;
  tally.returned += tick.tally.returned;
}

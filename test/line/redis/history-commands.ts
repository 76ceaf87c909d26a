/** Random histories of one line: what is done to it, in what order, and how a step is run on a store. */
import fc from 'fast-check';
import type { RoomChange } from '../../../src/line/model/room-settings.ts';
import { type HealthReport, latencyBucketOf } from '../../../src/line/model/site-health.ts';
import { placeIdOf } from '../../../src/line/model/standing.ts';
import type { StockReport } from '../../../src/line/model/stock.ts';
import type { LineStore } from '../../../src/line/store/line-store.ts';

/** Times to open and close are given in ms from when the step is run. */
type Change = Omit<RoomChange, 'opensAt' | 'closesAt' | 'ignoreHealthUntil'> & {
  opensIn?: number | null;
  closesIn?: number | null;
  ignoreHealthFor?: number | null;
};

export type Step =
  | { do: 'look' | 'stay' | 'enter' | 'find' | 'leave' | 'disconnect'; visitor: string }
  | { do: 'join'; visitor: string; priority: boolean }
  | { do: 'rush'; visitors: { visitor: string; priority: boolean }[] }
  | { do: 'request'; visitor: string; priority: boolean; key: string; fingerprint: string }
  | { do: 'enterAs' | 'leaveAs' | 'stayAs'; visitor: string; number: number }
  | { do: 'enterHere' | 'leaveHere' | 'sign'; visitor: string }
  | { do: 'rename'; visitor: string; to: string }
  | { do: 'stock'; report: StockReport }
  | { do: 'health'; report: HealthReport }
  | { do: 'tick' | 'sweep' | 'clear' | 'room' | 'pulse' | 'draw' | 'announcement' }
  | { do: 'exchange'; visitor: string; priority: boolean; number: number }
  | { do: 'hand-over'; activation: string }
  | { do: 'take-back'; activation: string; last: number }
  | { do: 'put'; change: Change }
  | { do: 'advance'; ms: number };

const visitor = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const priority = fc.boolean();
// Among those that the line gives itself, and far before and behind them.
const number = fc.constantFrom(1, 2, 5, 9, 30, 31, 40, 9_000, 12_000);
const activation = fc.constantFrom('first', 'second');
const stock: fc.Arbitrary<StockReport> = fc.record({
  left: fc.integer({ min: 0, max: 4 }),
  held: fc.integer({ min: 0, max: 2 }),
  holders: fc.uniqueArray(visitor, { maxLength: 3 }),
  asOf: fc.integer({ min: 1_790_000_000_000_000, max: 1_790_000_000_000_009 }),
});
const health: fc.Arbitrary<HealthReport> = fc
  .record({
    responses: fc.constantFrom(3, 15, 40),
    share: fc.constantFrom(0, 0.1, 0.3, 1),
    ms: fc.constantFrom(8, 300, 900),
  })
  .map(({ responses, share, ms }) => {
    const latencies = Array.from({ length: latencyBucketOf(ms) + 1 }, (_, bucket) => bucket % 2);
    latencies[latencyBucketOf(ms)] = responses;
    return { responses, errors: Math.floor(responses * share), latencies };
  });
const ttl = fc.constantFrom(1_000, 2_000, 3_500, 5_000, 9_000);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 });

const settings: { [Name in keyof Change]-?: fc.Arbitrary<Change[Name]> } = {
  state: fc.constantFrom('open' as const, 'open' as const, 'paused' as const, 'closed' as const, null),
  maxActive: orNull(fc.integer({ min: 0, max: 4 })),
  admitPerSecond: orNull(fc.constantFrom(0.3, 0.7, 1, 2.5, 10)),
  burst: orNull(fc.integer({ min: 1, max: 4 })),
  batchSize: orNull(fc.integer({ min: 1, max: 3 })),
  activeTtlMs: orNull(ttl),
  activeMaxTtlMs: orNull(fc.constantFrom(3_000, 9_000, 20_000)),
  expectedStayMs: orNull(fc.constantFrom(1_000, 4_000, 20_000)),
  renew: orNull(fc.boolean()),
  claimTtlMs: orNull(ttl),
  seenTtlMs: orNull(fc.oneof(ttl, fc.constant(60_000))),
  disconnectGraceMs: orNull(fc.constantFrom(0, 500, 2_000, 10_000)),
  releaseOnDisconnect: orNull(fc.boolean()),
  priorityShare: orNull(fc.constantFrom(0, 1, 20, 34, 50, 67, 90, 100)),
  followStock: orNull(fc.boolean()),
  joinRequires: fc.constantFrom('account' as const, 'confirmed-account' as const, null),
  admission: fc.constantFrom('claim' as const, 'claim' as const, 'auto' as const, null),
  claimWindow: orNull(fc.integer({ min: 1, max: 3 })),
  streamFormat: fc.constant(null),
  minWaitMs: orNull(fc.constantFrom(0, 400, 1_000, 3_000)),
  readyStatus: fc.constantFrom('ready' as const, 'waiting' as const, null),
  order: fc.constantFrom('fifo' as const, 'draw' as const, 'draw' as const, null),
  opensIn: orNull(fc.constantFrom(-2_000, 400, 1_000, 2_000)),
  closesIn: orNull(fc.constantFrom(1_000, 2_000, 6_000, 30_000)),
  target: orNull(fc.constantFrom('/shop/{eventId}', '/')),
  failOpen: orNull(fc.constant({ afterSeconds: 5, forMinutes: 1, perSecond: 2 })),
  followHealth: orNull(fc.constantFrom({ maxErrorShare: 0.2, maxP95Ms: 500, minPerSecond: 0.3 })),
  ignoreHealthFor: orNull(fc.constantFrom(1_000, 3_000)),
  message: orNull(fc.record({ en: fc.string({ minLength: 1, maxLength: 5 }) })),
};

// Few at a time, or most histories would be spent in rooms that nobody may enter.
const change: fc.Arbitrary<Change> = fc
  .array(fc.oneof(...Object.entries(settings).map(([name, value]) => fc.record({ [name]: value }))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((changes) => Object.assign({}, ...changes));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('join' as const), visitor, priority }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rush' as const),
      visitors: fc.array(fc.record({ visitor, priority }), { minLength: 2 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('look' as const), visitor }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('stay' as const), visitor }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('enter' as const), visitor }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enterHere' as const), visitor }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leaveHere' as const, 'sign' as const), visitor }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('enterAs' as const, 'leaveAs' as const, 'stayAs' as const),
      visitor,
      number: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      visitor,
      priority,
      key: fc.constantFrom('k1', 'k2'),
      fingerprint: fc.constantFrom('f1', 'f1', 'f1', 'f2'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('find' as const), visitor }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('leave' as const), visitor }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('disconnect' as const), visitor }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rename' as const), visitor, to: visitor }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('exchange' as const), visitor, priority, number }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hand-over' as const), activation }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take-back' as const), activation, last: number }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('stock' as const), report: stock }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('health' as const), report: health }) },
  { weight: 8, arbitrary: fc.constant<Step>({ do: 'tick' }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'draw' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'announcement' }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'sweep' }, { do: 'room' }, { do: 'pulse' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'clear' }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), change }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(1, 400, 999, 1_000, 2_000, 6_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(54_000, 60_000, 300_000) }),
  },
);

/**
 * Seconds in which some poll, the others are silent, and admission ticks. The room is mostly paused meanwhile, so that
 * nobody is admitted before they have been silent for long enough to be passed over.
 */
const silence: fc.Arbitrary<Step[]> = fc
  .record({
    seconds: fc.constantFrom(3, 12, 13),
    present: fc.uniqueArray(visitor, { maxLength: 3 }),
    isPaused: fc.constantFrom(true, true, false),
  })
  .map(({ seconds, present, isPaused }) => {
    const set = (state: 'paused' | 'open'): Step[] => (isPaused ? [{ do: 'put', change: { state } }] : []);
    const second: Step[] = [
      { do: 'advance', ms: 1_000 },
      ...present.map((each): Step => ({ do: 'look', visitor: each })),
      { do: 'tick' },
    ];
    return [...set('paused'), ...Array.from({ length: seconds }, () => second).flat(), ...set('open'), { do: 'tick' }];
  });
const steps = fc
  .array(fc.oneof({ weight: 30, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: silence }), {
    minLength: 5,
    maxLength: 45,
  })
  .map((list) => list.flat());

/** What a room begins with: any of the settings that let people in and out, and fit together. */
const opening = fc
  .record(
    {
      maxActive: fc.integer({ min: 1, max: 3 }),
      rate: fc.record({ admitPerSecond: fc.constantFrom(0.3, 0.7, 1, 2.5) }),
      burst: fc.record({ admitPerSecond: fc.constantFrom(0.7, 1), burst: fc.integer({ min: 1, max: 3 }) }),
      health: fc.record({
        admitPerSecond: fc.constantFrom(0.7, 2.5, 10),
        followHealth: fc.record({
          maxErrorShare: fc.constantFrom(0.05, 0.2),
          maxP95Ms: fc.constantFrom(100, 500),
          minPerSecond: fc.constantFrom(0.1, 0.7),
        }),
      }),
      batchSize: fc.integer({ min: 1, max: 2 }),
      activeTtlMs: ttl,
      expectedStayMs: fc.constantFrom(1_000, 4_000),
      renew: fc.boolean(),
      claimTtlMs: ttl,
      // Mostly so long that the silent are passed over before they lapse.
      seenTtlMs: fc.oneof(ttl, fc.constant(60_000), fc.constant(60_000)),
      disconnectGraceMs: fc.constantFrom(0, 500, 2_000, 30_000),
      admission: fc.constantFrom('auto' as const, 'claim' as const),
      claimWindow: fc.integer({ min: 1, max: 2 }),
      minWaitMs: fc.constantFrom(0, 1_000),
      priorityShare: fc.constantFrom(1, 20, 34, 50, 75, 100),
      draw: fc.record({ order: fc.constant('draw' as const), opensIn: fc.constantFrom(400, 1_000, 3_000) }),
    },
    { requiredKeys: ['maxActive'] },
  )
  .map(({ rate, burst, health, draw, ...change }): Step => {
    return { do: 'put', change: { ...change, ...rate, ...burst, ...health, ...draw } };
  });

export const histories = fc.tuple(opening, steps).map(([first, rest]) => [first, ...rest]);

/** Everything the store says to a step, free of what may differ between two stores: the epoch. */
export async function runStep(store: LineStore, eventId: string, step: Step, now: number): Promise<unknown> {
  switch (step.do) {
    case 'look':
    case 'stay':
    case 'enter':
    case 'find':
    case 'leave':
    case 'disconnect':
      return withoutEpoch(await store[step.do](eventId, step.visitor));
    case 'join':
      return withoutEpoch(await store.join(eventId, step.visitor, { priority: step.priority }));
    case 'exchange': {
      const { visitor, number, priority } = step;
      return withoutEpoch(await store.joinWithNumber(eventId, visitor, number, { priority }));
    }
    case 'hand-over':
      return store.handOverNumbers(eventId, step.activation);
    case 'take-back':
      return store.takeNumbersBack(eventId, step.activation, step.last);
    case 'stock':
      return store.putStock(eventId, step.report);
    case 'health':
      return store.putHealth(eventId, step.report);
    case 'rename':
      return store.rename(eventId, step.visitor, step.to);
    case 'enterAs':
    case 'leaveAs':
    case 'stayAs':
      return withoutEpoch(await askAs(verbs[step.do], store, eventId, step));
    case 'enterHere':
    case 'leaveHere':
      return withoutEpoch(await askHere(verbs[step.do], store, eventId, step.visitor));
    case 'sign':
      return withoutEpoch(await store.look(eventId, step.visitor, { isSign: true }));
    case 'request': {
      const { key, fingerprint, priority } = step;
      // Keys are a visitor's at all events, and each history has an event of its own.
      const request = { key: `${eventId} ${key}`, fingerprint };
      return withoutEpoch(await store.join(eventId, step.visitor, { request, priority }));
    }
    case 'rush':
      return withoutEpoch(await rush(store, eventId, step.visitors));
    case 'tick':
    case 'draw':
    case 'sweep':
    case 'clear':
      return store[step.do](eventId);
    case 'room':
      return withoutEpoch((await store.findRoom(eventId)) ?? {});
    case 'pulse':
      return store.findPulse(eventId);
    case 'announcement':
      return store.findDraw(eventId);
    case 'put':
      return withoutEpoch(await store.putRoom(eventId, toChange(step.change, now)));
    case 'advance':
      return undefined;
  }
}

/** Several at once. Visits of one call share one crowd, so only their own places are compared. */
async function rush(
  store: LineStore,
  eventId: string,
  visitors: Extract<Step, { do: 'rush' }>['visitors'],
): Promise<unknown[]> {
  const outcomes = await Promise.all(
    visitors.map(({ visitor, priority }) => store.join(eventId, visitor, { priority })),
  );
  return outcomes.map((outcome) => ('crowd' in outcome ? { ...outcome, crowd: undefined } : outcome));
}

const verbs = {
  enterAs: 'enter',
  leaveAs: 'leave',
  stayAs: 'stay',
  enterHere: 'enter',
  leaveHere: 'leave',
} as const;

/** By a token for the place with this number. */
async function askAs(
  verb: 'enter' | 'leave' | 'stay',
  store: LineStore,
  eventId: string,
  { visitor, number }: { visitor: string; number: number },
) {
  const epoch = (await store.findRoom(eventId))?.epoch;
  return store[verb](eventId, visitor, `${epoch}.${number}`);
}

/** By a token for the place that the visitor has. */
async function askHere(verb: 'enter' | 'leave', store: LineStore, eventId: string, visitor: string) {
  const found = await store.find(eventId, visitor);
  if (found.outcome === 'no-room' || found.standing.state === 'absent') return found;
  return store[verb](eventId, visitor, placeIdOf(found.standing));
}

function toChange({ opensIn, closesIn, ignoreHealthFor, ...change }: Change, now: number): RoomChange {
  const at = (ms: number | null) => (ms === null ? null : new Date(now + ms).toISOString());
  return {
    ...change,
    ...(opensIn === undefined ? {} : { opensAt: at(opensIn) }),
    ...(closesIn === undefined ? {} : { closesAt: at(closesIn) }),
    ...(ignoreHealthFor === undefined ? {} : { ignoreHealthUntil: at(ignoreHealthFor) }),
  };
}

function withoutEpoch(value: object): unknown {
  const hide = (key: string, inner: unknown) =>
    key === 'epoch' ? undefined : key === 'tokenId' || key === 'lobbyId' ? String(inner).split('.')[1] : inner;
  return JSON.parse(JSON.stringify(value, hide));
}

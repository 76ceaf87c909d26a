/** Breaks of what several processes promise together, and of what holds while a store is away or comes back. */
const line = 'docs/reference/line.md';
const redis = 'docs/guides/redis.md';

const rulerWatch = (title) => [{ file: 'test/line/ruler-watch.test.ts', title }];
const lostReplies = (title) => [{ file: 'test/line/redis/lost-replies.test.ts', title }];

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const outages = [
  {
    name: 'admission-told-before-the-leases-end',
    page: line,
    invariant: 6,
    promise: "A tick's admission is told by the poll and claim doors once it is 250 ms old",
    file: 'src/line/store/ruler-watch.ts',
    find: 'if (restMs <= 0) return outcome;',
    replace: 'if (restMs <= 1e9) return outcome;',
    tests: rulerWatch('tells an admission once it is as old as a lease, and only if the store is still there (6)'),
  },
  {
    name: 'admission-told-after-the-store-is-gone',
    page: line,
    invariant: 6,
    promise: 'The store must still answer at that moment;',
    file: 'src/line/store/ruler-watch.ts',
    find: 'await this.#options.visits.find(eventId, visitor);\n    return outcome;',
    replace: 'return outcome;',
    tests: rulerWatch('tells an admission once it is as old as a lease, and only if the store is still there (6)'),
  },
  {
    name: 'waiting-said-without-a-lease',
    page: line,
    invariant: 6,
    promise: 'After that the process reads again before it answers.',
    file: 'src/line/store/room-watch.ts',
    find: 'return this.#options.clock.now() - this.#readAt <= LEASE_MS;',
    replace: 'return this.#readAt > Number.NEGATIVE_INFINITY;',
    tests: [{ file: 'test/line/told-once.test.ts', title: 'never take back what a visitor was told' }],
  },
  {
    name: 'waiting-said-to-the-holder-of-a-token',
    page: line,
    invariant: 6,
    promise: 'who sends a valid entry token of the event (cookie or `x-queue-entry-token`)',
    file: 'src/line/store/ruler-watch.ts',
    find: 'known === undefined || options?.wasAdmitted)',
    replace: 'known === undefined)',
    tests: rulerWatch('asks the store about a visitor who shows an entry token, each time'),
  },
  {
    name: 'join-is-not-remembered',
    page: line,
    promise: 'whose number the head of the line has not passed | the last known page',
    file: 'src/line/store/ruler-watch.ts',
    find: 'return this.#note(eventId, visitor, (visits) => visits.join(eventId, visitor, options));',
    replace: 'return this.#options.visits.join(eventId, visitor, options);',
    tests: rulerWatch('keeps serving a visitor who only joined before the store became unavailable'),
  },
  {
    name: 'repeated-join-says-already',
    page: line,
    invariant: 8,
    promise: 'A join says `joined` if that very call made',
    file: 'src/line/store/redis/scripts/visit.lua',
    find: "if wasMade(index) then return 'joined', look(visitor) end",
    replace: '',
    tests: lostReplies('reports a repeated join as joined, and a second one as already (8)'),
  },
  {
    name: 'older-reply-is-used',
    page: redis,
    promise: 'A reply that is behind what the process',
    file: 'src/line/store/redis/scripts/tick-fence.ts',
    find: 'if (now - known.behindSince < BEHIND_AT_MOST_MS) return false;',
    replace: '',
    tests: [
      {
        file: 'test/line/redis/tick-fence.test.ts',
        title: 'refuses a reply that is behind the last tick known when the call was sent',
      },
    ],
  },
];

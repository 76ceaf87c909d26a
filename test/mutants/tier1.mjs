/** Breaks of tier 1: numbers, serving, signed places. */
const page = 'docs/explanation/tier1.md';
const scripts = 'src/tier1/store/redis/scripts';
const embedded = (title) => [{ file: 'test/tier1/memory-tier1-store.test.ts', title }];
const onRedis = (title) => [
  { file: 'test/tier1/redis/redis-tier1-store.test.ts', within: 'on one Redis server', title },
];

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const tier1 = [
  {
    name: 'tier1-device-with-two-numbers',
    page,
    promise: 'One number per device.',
    file: 'src/tier1/rules/assign.ts',
    find: 'known(device) ?? fresh.get(device)',
    replace: 'fresh.get(device)',
    tests: embedded('assigns each device the next position, and the same one again'),
  },
  {
    name: 'tier1-redis-device-with-two-numbers',
    page,
    promise: 'It keeps its number while tier 1 is on, even if it loses its place.',
    file: `${scripts}/assign.lua`,
    find: "given[device] or tonumber(redis.call('HGET', KEYS[2], device) or nil)",
    replace: 'given[device]',
    tests: onRedis('assigns each device the next position, and the same one again'),
  },
  {
    name: 'tier1-flood-after-a-gap',
    page,
    promise: 'After an interruption at most one batch is made up.',
    file: 'src/tier1/rules/advance.ts',
    find: 'Math.min(now - counters.advancedAt, cycleMs)',
    replace: 'Math.max(now - counters.advancedAt, 0)',
    tests: embedded('serves at most one batch after a gap'),
  },
  {
    name: 'tier1-redis-flood-after-a-gap',
    page,
    promise: 'After an interruption at most one batch is made up.',
    file: `${scripts}/advance.lua`,
    find: 'math.min(now - advancedAt, cycleMs)',
    replace: 'now - advancedAt',
    tests: onRedis('serves at most one batch after a gap'),
  },
  {
    name: 'tier1-late-hand-over',
    page,
    promise: 'A call that arrives late, after tier 1 was switched off, changes nothing.',
    file: 'src/line/rules/numbering.ts',
    find: 'if (!line.endedActivations.includes(activation)) line.numberedBy = activation;',
    replace: 'line.numberedBy = activation;',
    tests: [
      {
        file: 'test/tier1/lost-replies.test.ts',
        title: 'gives every visitor the number of their device, and leaves the line in step',
      },
      {
        file: 'test/line/memory-line-store.test.ts',
        title: 'is not handed over to an activation that has ended, by a call that comes late',
      },
    ],
  },
  {
    name: 'tier1-redis-late-hand-over',
    page,
    promise: 'A call that arrives late, after tier 1 was switched off, changes nothing.',
    file: 'src/line/store/redis/scripts/hand-over.lua',
    find: 'if not hasEnded then',
    replace: 'if hasEnded ~= 0 then',
    tests: [
      {
        file: 'test/line/redis/redis-line-store.test.ts',
        within: 'on one Redis server',
        title: 'is not handed over to an activation that has ended, by a call that comes late',
      },
    ],
  },
  {
    name: 'tier1-place-of-another-device',
    page: 'docs/decisions/007-signed-places.md',
    promise: 'number, event, device and activation with an HMAC.',
    file: 'src/tier1/tokens/signed-places.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source file.
    find: '`place ${eventId} ${device} ${said}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source file.
    replace: "`place ${eventId} ${device === '' ? device : ''} ${said}`",
    tests: [
      {
        file: 'test/tier1/http/tier1-routes.test.ts',
        title: 'refuses a place that is forged, expired, or of another device, event or activation',
      },
    ],
  },
  {
    name: 'tier1-exchange-without-the-device',
    page: 'docs/reference/gate.md',
    promise: 'must be the device of the signed cookie',
    file: 'src/tier1/tokens/token-exchange.ts',
    find: '&& pass.device === devices.find(cookies);',
    replace: '&& devices.find(cookies) !== undefined;',
    tests: [
      {
        file: 'test/tier1/http/exchange.test.ts',
        title: 'refuses a token of another device, another event, an expired one and a forged one',
      },
    ],
  },
];

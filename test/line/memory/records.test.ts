import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Place } from '../../../src/line/model/line.ts';
import { createChangeEncoder } from '../../../src/line/store/memory/journal-records.ts';

const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const anyPlace: fc.Arbitrary<Place> = fc.record({
  visitor: fc.string({ unit: 'binary' }),
  number: fc.integer({ min: 0 }),
  state: fc.constantFrom('lobby', 'waiting', 'admitted', 'active'),
  lane: fc.constantFrom('ordinary', 'priority'),
  joinedAt: time,
  seenAt: time,
  quietMs: time,
  isDisconnected: fc.boolean(),
  isAway: fc.boolean(),
  admittedAt: time,
  activeAt: time,
  isTold: fc.boolean(),
  expiresAt: time,
});

it('encodes a place as valid JSON, whatever the visitor and event ids are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anyPlace, (eventId, place) => {
      const { number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt, lane } = place;
      const record = ['place', eventId, number, visitor, state, joinedAt, admittedAt, activeAt, expiresAt];
      const expected = lane === 'priority' ? [...record, lane] : record;
      expect(JSON.parse(createChangeEncoder(eventId)({ kind: 'put', place }))).toEqual(expected);
    }),
  );
});

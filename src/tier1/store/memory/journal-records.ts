/** What the memory store writes to its journal, and how numberings are built again from it. */
import type { Counters, Tier1State } from '../../model/counters.ts';

export interface Numbering {
  counters: Counters;
  /** Of this activation only. */
  positions: Map<string, number>;
}

export type Tier1Record =
  | [
      kind: 'counters',
      eventId: string,
      activation: string,
      state: Tier1State,
      nextPosition: number,
      servingCounter: number,
      advancedAt: number,
    ]
  | [kind: 'positions', eventId: string, given: [device: string, position: number][]]
  | [kind: 'released', eventId: string, device: string];

const POSITIONS_PER_RECORD = 500;

export function toCountersRecord(counters: Counters): Tier1Record {
  const { eventId, activation, state, nextPosition, servingCounter, advancedAt } = counters;
  return ['counters', eventId, activation, state, nextPosition, servingCounter, advancedAt];
}

/** The whole of a numbering. Read slowly while it changes; see the journal on why that is harmless. */
export function* toRecords({ counters, positions }: Numbering): Generator<Tier1Record> {
  yield toCountersRecord(counters);
  let given: [string, number][] = [];
  for (const entry of positions) {
    given.push(entry);
    if (given.length < POSITIONS_PER_RECORD) continue;
    yield ['positions', counters.eventId, given];
    given = [];
  }
  yield ['positions', counters.eventId, given];
}

/** Takes one record into account. Counters of another activation, or of one that is over, forget its positions. */
export function replay(numberings: Map<string, Numbering>, record: Tier1Record): void {
  switch (record[0]) {
    case 'counters': {
      const [, eventId, activation, state, nextPosition, servingCounter, advancedAt] = record;
      putCounters(numberings, { eventId, activation, state, nextPosition, servingCounter, advancedAt });
      break;
    }
    case 'positions':
      for (const [device, position] of record[2]) numberings.get(record[1])?.positions.set(device, position);
      break;
    case 'released':
      numberings.get(record[1])?.positions.delete(record[2]);
      break;
  }
}

export function putCounters(numberings: Map<string, Numbering>, counters: Counters): void {
  const known = numberings.get(counters.eventId);
  const goesOn = known?.counters.activation === counters.activation && counters.state !== 'inactive';
  numberings.set(counters.eventId, { counters, positions: goesOn ? known.positions : new Map() });
}

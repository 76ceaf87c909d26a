/** The journal records of the memory store, and their replay. */
import type { Counters, Tier1State } from '../../model/counters.ts';

export interface Tier1Event {
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

/** Snapshot of one event. It may change while it is read slowly; the journal explains why that is harmless. */
export function* toRecords({ counters, positions }: Tier1Event): Generator<Tier1Record> {
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

/** Applies one record. Counters of another activation, or of an inactive one, drop the positions. */
export function replay(events: Map<string, Tier1Event>, record: Tier1Record): void {
  switch (record[0]) {
    case 'counters': {
      const [, eventId, activation, state, nextPosition, servingCounter, advancedAt] = record;
      putCounters(events, { eventId, activation, state, nextPosition, servingCounter, advancedAt });
      break;
    }
    case 'positions':
      for (const [device, position] of record[2]) events.get(record[1])?.positions.set(device, position);
      break;
    case 'released':
      events.get(record[1])?.positions.delete(record[2]);
      break;
  }
}

export function putCounters(events: Map<string, Tier1Event>, counters: Counters): void {
  const known = events.get(counters.eventId);
  const isSameActivation = known?.counters.activation === counters.activation && counters.state !== 'inactive';
  events.set(counters.eventId, { counters, positions: isSameActivation ? known.positions : new Map() });
}

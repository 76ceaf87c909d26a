/** Names and rows of the two tables. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Counters, Tier1State } from '../../model/counters.ts';

export type Row = Record<string, AttributeValue>;

export const tablesOf = (prefix: string) => ({
  counters: `${prefix}-vwr-counters`,
  positions: `${prefix}-vwr-positions`,
});

/** A sparse index: only rows of active events have the attribute `active`. */
export const ACTIVE_INDEX = 'active-index';
export const POSITION_INDEX = 'eventId-position-index';

export const text = (value: string): AttributeValue => ({ S: value });
export const number = (value: number): AttributeValue => ({ N: String(value) });

export function toCounters(row: Row): Counters {
  return {
    eventId: row.eventId!.S!,
    activation: row.activation!.S!,
    state: row.state!.S as Tier1State,
    nextPosition: Number(row.nextPosition!.N),
    servingCounter: Number(row.servingCounter!.N),
    advancedAt: Number(row.advancedAt!.N),
  };
}

/** One row per device and activation: a second position for the same device conflicts with the first. */
export function positionKey(eventId: string, activation: string, device: string): Row {
  return { eventId: text(eventId), requestId: text(`${activation}.${device}`) };
}

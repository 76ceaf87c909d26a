/**
 * Changes messages of the outbox to the flat format, for the relay. In the outbox all records are nested, so a change of the
 * format concerns only the relay, and records that wait are published in the new format.
 */
import { toFlat } from './flat-record.ts';
import { readRecord } from './read-record.ts';
import type { Message } from './record-log.ts';

/** Dead letters, and records of a type that this version does not know, stay as they are. */
export function toFlatMessage(message: Message): Message {
  const read = readRecord(message.value);
  return read.outcome === 'record' ? { ...message, value: JSON.stringify(toFlat(read.record)) } : message;
}

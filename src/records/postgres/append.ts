/** Appends to the outbox. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Append, Draft, TraceHeaders } from '../append.ts';
import { recordTypes, sagaIdOf } from '../record.ts';
import type { Message } from '../record-log.ts';
import { partitionOf } from '../topics.ts';
import { toHeadersColumn } from './message-rows.ts';

/** `traceHeaders`: undefined where tracing is off. */
export function createAppend(traceHeaders?: TraceHeaders): Append {
  return async (tx, draft) => {
    const headers = traceHeaders?.();
    await appendMessage(tx, { ...toMessage(draft), ...(headers && { headers }) });
  };
}

/** Also appends messages that are no records, such as dead letters. The column `lane` is the partition of the key. */
export async function appendMessage(tx: Executor, { topic, key, value, headers }: Message): Promise<void> {
  await sql`
    insert into outbox (lane, topic, key, value, headers)
    values (${partitionOf(key)}, ${topic}, ${key}, ${value}, ${toHeadersColumn(headers)}::jsonb)`.execute(tx);
}

function toMessage({ type, payload, at }: Draft): Message {
  const { topic, by } = recordTypes[type];
  const key = String((payload as Record<string, unknown>)[by]);
  const id = randomUUID();
  const record = { id, type, key, occurredAt: at.toISOString(), sagaId: sagaIdOf({ id, type, key }), payload };
  return { topic, key, value: JSON.stringify(record) };
}

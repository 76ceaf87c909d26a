/** SQL statements on the record log: one function each. */
import { sql } from 'kysely';
import type { Executor } from '../../platform/database/database.ts';
import type { Message } from '../record-log.ts';
import { PARTITIONS } from '../topics.ts';
import { fromRow, type Row, toHeadersColumn } from './message-rows.ts';

export interface Partition {
  topic: string;
  partition: number;
}

export interface HeldPartition extends Partition {
  nextOffset: number;
}

/** A reader that takes longer with a batch loses the partition to another. */
const LEASE_SECONDS = 10;

export async function createPartitions(db: Executor, topics: readonly string[]): Promise<void> {
  await sql`
    insert into record_partitions (topic, partition)
    select topic, partition from unnest(${[...topics]}::text[]) as topic, generate_series(0, ${PARTITIONS - 1}::int) as partition
    on conflict do nothing`.execute(db);
}

/** Returns the first of `count` new offsets. Locks the partition for other writers until the transaction ends. */
export async function reserveOffsets(db: Executor, { topic, partition }: Partition, count: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    update record_partitions set next_offset = next_offset + ${count}
    where topic = ${topic} and partition = ${partition} returning (next_offset - ${count})::float8 as first`.execute(
    db,
  );
  return rows[0]!.first;
}

export async function insertMessages(
  db: Executor,
  { topic, partition }: Partition,
  first: number,
  messages: readonly Message[],
): Promise<void> {
  const [keys, values] = [messages.map(({ key }) => key), messages.map(({ value }) => value)];
  const headers = messages.map((message) => toHeadersColumn(message.headers));
  await sql`
    insert into record_log (topic, partition, "offset", key, value, headers)
    select ${topic}, ${partition}, ${first}::bigint + no - 1, key, value, headers::jsonb
    from unnest(${keys}::text[], ${values}::text[], ${headers}::text[]) with ordinality
      as message(key, value, headers, no)`.execute(db);
}

export async function readMessages(
  db: Executor,
  { topic, partition, nextOffset }: HeldPartition,
  limit: number,
): Promise<Message[]> {
  const { rows } = await sql<Row<Message>>`
    select topic, key, value, headers from record_log
    where topic = ${topic} and partition = ${partition} and "offset" >= ${nextOffset}::bigint
    order by record_log."offset" limit ${limit}`.execute(db);
  return rows.map((row) => fromRow<Message>(row));
}

export async function createPositions(db: Executor, group: string, topics: readonly string[]): Promise<void> {
  await sql`
    insert into record_positions (consumer_group, topic, partition)
    select ${group}, topic, partition from record_partitions where topic = any(${[...topics]}::text[])
    on conflict do nothing`.execute(db);
}

/** Leases the partitions with unread messages that no other reader of the group has. */
export async function takePartitions(
  db: Executor,
  group: string,
  topics: readonly string[],
  holder: string,
): Promise<HeldPartition[]> {
  const { rows } = await sql<HeldPartition>`
    update record_positions p set holder = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from (
      select mine.topic, mine.partition from record_positions mine join record_partitions log using (topic, partition)
      where mine.consumer_group = ${group} and mine.topic = any(${[...topics]}::text[])
        and mine.next_offset < log.next_offset and (mine.held_until <= clock_timestamp())
      order by mine.topic, mine.partition for update of mine skip locked
    ) as due
    where p.consumer_group = ${group} and p.topic = due.topic and p.partition = due.partition
    returning p.topic, p.partition, p.next_offset::float8 as "nextOffset"`.execute(db);
  return rows;
}

/** Moves the position of the group and renews the lease; false if another reader has the partition. */
export async function movePosition(
  db: Executor,
  group: string,
  { topic, partition }: Partition,
  nextOffset: number,
  holder: string,
): Promise<boolean> {
  const { rows } = await sql`
    update record_positions set next_offset = ${nextOffset}::bigint,
      held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where consumer_group = ${group} and topic = ${topic} and partition = ${partition} and holder = ${holder}
    returning topic`.execute(db);
  return rows.length > 0;
}

export async function releasePartition(db: Executor, group: string, held: Partition, holder: string): Promise<void> {
  await sql`
    update record_positions set holder = null, held_until = '-infinity'
    where consumer_group = ${group} and topic = ${held.topic} and partition = ${held.partition} and holder = ${holder}
  `.execute(db);
}

export async function listEnds(db: Executor, topics: readonly string[]): Promise<(Partition & { end: number })[]> {
  const { rows } = await sql<Partition & { end: number }>`
    select topic, partition, next_offset::float8 as "end" from record_partitions where topic = any(${[...topics]}::text[])
  `.execute(db);
  return rows;
}

export async function listPositions(db: Executor, group: string): Promise<HeldPartition[]> {
  const { rows } = await sql<HeldPartition>`
    select topic, partition, next_offset::float8 as "nextOffset" from record_positions where consumer_group = ${group}
  `.execute(db);
  return rows;
}

/** Without a lease: for a single reader. */
export async function setPosition(db: Executor, group: string, at: Partition, nextOffset: number): Promise<void> {
  await sql`
    update record_positions set next_offset = ${nextOffset}::bigint
    where consumer_group = ${group} and topic = ${at.topic} and partition = ${at.partition}`.execute(db);
}

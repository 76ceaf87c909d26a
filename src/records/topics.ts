/** The topics of records, and the partition of a key. */
export const topics = [
  'payment-events',
  'reservation-events',
  'transfer-events',
  'membership-events',
  'traffic-events',
] as const;
export type Topic = (typeof topics)[number];

/** Records of one key share a partition and keep their order. A group handles at most this many partitions at once. */
export const PARTITIONS = 3;

/** The dead letter topic: records that a group could not handle. */
export function deadTopicOf(topic: string): string {
  return `${topic}.dlq`;
}

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/** Kafka's default partitioner (murmur2), so that a key has the same partition in PostgreSQL and in Kafka. */
export function partitionOf(key: string): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % PARTITIONS;
}

function murmur2(bytes: Uint8Array): number {
  const whole = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash = Math.imul(hash, MULTIPLIER) ^ scramble(word);
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at -= 1) rest = (rest << 8) | bytes[at]!;
  if (whole < bytes.length) hash = Math.imul(hash ^ rest, MULTIPLIER);
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}

function scramble(word: number): number {
  const mixed = Math.imul(word, MULTIPLIER);
  return Math.imul(mixed ^ (mixed >>> 24), MULTIPLIER);
}

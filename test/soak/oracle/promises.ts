/**
 * The promises that a run is judged by, each with a stable number. They are sentences of the docs: L of the line, R of the guide for
 * several processes on Redis, S of the shop, D of the records. docs/explanation/soak.md has the same table; a test compares them.
 */
export interface Promised {
  page: string;
  sentence: string;
}

const line = (sentence: string): Promised => ({ page: 'docs/reference/line.md', sentence });
const redis = (sentence: string): Promised => ({ page: 'docs/guides/redis.md', sentence });
const shop = (sentence: string): Promised => ({ page: 'docs/reference/shop.md', sentence });
const records = (sentence: string): Promised => ({ page: 'docs/reference/records.md', sentence });

export const promises = {
  L01: line('Admitted and active visitors never exceed maxActive; lowering it admits nobody until there is room.'),
  L02: line('Who joined earlier gets the lower number, except by a draw or tier 1.'),
  L03: line('Nobody is admitted before a present visitor of the same lane with a lower number.'),
  L04: line('A visitor has one place per event; joining again returns it.'),
  L05: line('A number is never assigned twice.'),
  L06: line('A waiting visitor who shows signs of life keeps the place.'),
  L07: line('A slot that is given up becomes free again: when everyone has gone, nobody waits or is inside.'),
  L08: line('A free slot goes to a present waiting visitor.'),
  L09: line('A visitor who was told that they are inside is not told that they wait until the admission ends.'),
  L10: line('A visitor inside stays inside until the admission ends.'),
  L11: line('An admission is reported with the same token id by every response until it ends.'),
  L12: line('No field sent by a client decides admission: a forged token admits to nothing.'),
  L13: line('An admission is made once: a number is in the entry stream once.'),
  L14: line('Unknown events get 404 and leave no trace.'),
  L15: line('A visitor who is ready in a claim room and enters before enterBy is granted.'),
  L16: line('Nobody else is granted entry in a claim room.'),
  L17: line('Nobody is admitted while the room is paused.'),
  L18: line('The same Idempotency-Key returns the place that it created.'),
  L19: line('While tier 1 is on, a new visitor joins with its number or not at all.'),
  L20: line('A number of tier 1 becomes the number in the line.'),
  L21: line('A draw gives every lot the number that the published seed and list give it.'),
  L22: line('A lot never changes, and the seed matches the commitment announced before the draw.'),
  L23: line('A guest who signs in keeps the place.'),
  R01: redis('While the store is away a request gets 503, and no other server error.'),
  R02: redis('Every 503 has Retry-After.'),
  R03: redis('While Redis is away, waiting visitors whom this process knows keep the last known page.'),
  R04: redis('Streams stay open while Redis is away; only the end of their process breaks them.'),
  R05: redis('/ready gives the reason while a process cannot serve.'),
  R06: redis('When the cause is gone everything continues without a restart.'),
  R07: redis('With REDIS_WAIT_REPLICAS, or one server with appendonly, an acknowledged place is not lost.'),
  R08: redis('No process exits or reports an error of its own because a store or another process fails.'),
  R09: redis('A join is counted as new once per place, unless the call that made it was never answered.'),
  S01: shop('A seat is sold once.'),
  S02: shop('A hold needs the entry token of an admission that has not ended.'),
  S03: shop('The same Idempotency-Key returns the same hold.'),
  S04: shop('Nobody holds and owns more than maxPerPerson.'),
  S05: shop('Each capture ends in exactly one confirmed reservation or one full refund.'),
  S06: shop('A buyer who is told that the payment succeeded has the seats.'),
  S07: shop('A declined payment takes no money.'),
  S08: shop('A held seat belongs to its holder until the hold ends.'),
  S09: shop('After a purchase the entry token of that admission is invalid.'),
  S10: shop('While the database is down the line continues.'),
  S11: shop('While the database is down the shop returns 503 with Retry-After, and no other server error.'),
  S12: shop('Seats in the state sold are exactly those of confirmed reservations.'),
  D01: records('A record exists if and only if the change was committed.'),
  D02: records('Records of one key are in one partition, in order.'),
  D03: records('A repeated record is the same record.'),
  D04: records('Statistics count every record once.'),
  D05: records('Everything in the outbox reaches the log.'),
  D06: records('No record is moved to the dead-letter topic because a store was away.'),
  D07: records('Every message has the documented envelope.'),
} as const satisfies Record<string, Promised>;

export type PromiseNo = keyof typeof promises;

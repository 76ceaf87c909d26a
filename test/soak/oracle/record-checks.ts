/** Promises about records: what is in the log, compared with the state of the shop at the end. */
import type { Recorded, ShopEnd } from '../history.ts';
import type { PromiseNo } from './promises.ts';
import { groupBy, type View } from './view.ts';
import type { Violation } from './violation.ts';

interface Read {
  source: Recorded;
  id: string;
  type: string;
  key: string;
  payload: Record<string, unknown>;
}

export function checkRecords(view: View): Violation[] {
  const shop = view.end?.shop;
  if (shop === undefined) return [];
  const at = view.end!.at;
  const read = view.records.flatMap(toRead);
  const first = firstArrivals(read);
  return [
    ...checkEnvelopes(view, at),
    ...checkRepeats(read, at),
    ...checkPartitions(first, at),
    ...checkCommitted(first, shop, at),
    ...checkStats(first, shop, at),
    ...(shop.outbox > 0 ? [broken('D05', at, `${shop.outbox} records are still in the outbox`)] : []),
    ...(shop.buried > 0 ? [broken('D06', at, `${shop.buried} records are in dead-letter topics`)] : []),
  ];
}

function toRead(source: Recorded): Read[] {
  try {
    const { id, type, key, payload } = JSON.parse(source.text);
    return [{ source, id, type, key, payload }];
  } catch {
    return [];
  }
}

/** A record may be in the log several times; the first arrival counts. */
function firstArrivals(read: readonly Read[]): Read[] {
  const seen = new Set<string>();
  return [...read]
    .sort((a, b) => a.source.offset - b.source.offset)
    .filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined);
}

const FIELDS = ['id', 'type', 'key', 'occurredAt', 'sagaId', 'payload'];

function checkEnvelopes(view: View, at: number): Violation[] {
  return view.records.flatMap((record) => {
    let value: Record<string, unknown> = {};
    try {
      value = JSON.parse(record.text);
    } catch {
      // Reported as missing fields.
    }
    const missing = FIELDS.filter((field) => value[field] === undefined);
    return missing.length === 0
      ? []
      : [broken('D07', at, `a message of ${record.topic} lacks ${missing.join(', ')}`, record)];
  });
}

function checkRepeats(read: readonly Read[], at: number): Violation[] {
  return [...groupBy(read, ({ id }) => id)].flatMap(([id, same]) => {
    const other = same.find(({ source }) => source.text !== same[0]!.source.text);
    return other === undefined
      ? []
      : [broken('D03', at, `two different records have the id ${id}`, same[0]!.source, other.source)];
  });
}

/** Later types of one key must not arrive before earlier ones. */
const BEFORE: readonly (readonly [string, string])[] = [
  ['PAYMENT_CONFIRMED', 'PAYMENT_REFUNDED'],
  ['RESERVATION_CREATED', 'RESERVATION_CANCELLED'],
];

function checkPartitions(first: readonly Read[], at: number): Violation[] {
  return [...groupBy(first, ({ source, key }) => `${source.topic} ${key}`)].flatMap(([name, own]) => {
    const other = own.find(({ source }) => source.partition !== own[0]!.source.partition);
    if (other !== undefined)
      return [broken('D02', at, `records of ${name} are in two partitions`, own[0]!.source, other.source)];
    return BEFORE.flatMap(([earlier, later]) => {
      const [one, two] = [earlier, later].map((type) => own.findIndex((record) => record.type === type));
      return one! > two! && two! >= 0
        ? [broken('D02', at, `${later} of ${name} comes before ${earlier}`, own[two!]!.source, own[one!]!.source)]
        : [];
    });
  });
}

/** Records and rows say the same. */
function checkCommitted(first: readonly Read[], shop: ShopEnd, at: number): Violation[] {
  const made = (type: string, field: string) =>
    groupBy(
      first.filter((record) => record.type === type),
      ({ payload }) => String(payload[field]),
    );
  const created = made('RESERVATION_CREATED', 'reservationId');
  const confirmed = made('PAYMENT_CONFIRMED', 'orderId');
  const refunded = made('PAYMENT_REFUNDED', 'orderId');
  const found: Violation[] = [];
  const compare = (what: string, records: readonly Read[] | undefined, expected: boolean) => {
    const count = records?.length ?? 0;
    if (count !== Number(expected))
      found.push(
        broken(
          'D01',
          at,
          `${what} has ${count} records, expected ${Number(expected)}`,
          ...(records ?? []).map(({ source }) => source),
        ),
      );
  };
  for (const { id } of shop.reservations) compare(`RESERVATION_CREATED of ${id}`, created.get(id), true);
  for (const { orderId, state } of shop.payments) {
    if (state === 'confirmed') compare(`PAYMENT_CONFIRMED of ${orderId}`, confirmed.get(orderId), true);
    if (state !== 'confirmed' && state !== 'refunded')
      compare(`PAYMENT_CONFIRMED of ${orderId}`, confirmed.get(orderId), false);
    compare(`PAYMENT_REFUNDED of ${orderId}`, refunded.get(orderId), state === 'refunded');
  }
  const known = new Set(shop.reservations.map(({ id }) => id));
  for (const [id, records] of created)
    if (!known.has(id))
      found.push(
        broken('D01', at, `there is a record of the reservation ${id}, which does not exist`, records[0]!.source),
      );
  return found;
}

function checkStats(first: readonly Read[], { stats }: ShopEnd, at: number): Violation[] {
  if (stats === undefined) return [];
  const count = (type: string) => first.filter((record) => record.type === type).length;
  const expected = {
    created: count('RESERVATION_CREATED'),
    confirmed: count('RESERVATION_CONFIRMED'),
    cancelled: count('RESERVATION_CANCELLED'),
  };
  const wrong = Object.entries(expected).filter(([name, value]) => (stats.counts[name] ?? 0) !== value);
  const sum = (type: string) =>
    first
      .filter((record) => record.type === type && record.payload.paymentType === 'reservation')
      .reduce((total, { payload }) => total + Number(payload.amount), 0);
  const problems = wrong.map(([name, value]) => `${name} is ${stats.counts[name] ?? 0}, the records say ${value}`);
  if (stats.revenue !== sum('PAYMENT_CONFIRMED'))
    problems.push(`revenue is ${stats.revenue}, the records say ${sum('PAYMENT_CONFIRMED')}`);
  return problems.map((problem) => broken('D04', at, `statistics: ${problem}`));
}

function broken(promise: PromiseNo, at: number, text: string, ...evidence: Recorded[]): Violation {
  return { promise, text, at, evidence };
}

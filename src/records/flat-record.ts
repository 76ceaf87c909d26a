/**
 * The flat format of records (RECORDS_FORMAT=flat): payload and envelope in one object, with the field names and UUIDs of URR's
 * Kafka consumers. What they do not read is there too: `id`, and under `fairline` the ids that UUIDs replace. So Fairline's own
 * consumers read a flat record as the same record as a nested one.
 */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type FairlineRecord, type RecordOf, recordTypes, sagaIdOf } from './record.ts';
import { toStableUuid } from './stable-uuid.ts';

/** Fields that are UUIDs in the flat format. Ids of orders and users are texts in both. */
const UUID_FIELDS = ['reservationId', 'referenceId', 'eventId', 'transferId', 'membershipId'] as const;

const FlatRecord = Type.Object({
  type: Type.String(),
  fairline: Type.Object({ ids: Type.Record(Type.String(), Type.String()) }),
});
const flatRecord = Compile(FlatRecord);

const ForeignRecord = Type.Object({
  type: Type.String(),
  timestamp: Type.Unknown(),
  payload: Type.Optional(Type.Undefined()),
  fairline: Type.Optional(Type.Undefined()),
});
const foreignRecord = Compile(ForeignRecord);

type Fields = Record<string, unknown>;

export function toFlat(record: FairlineRecord): Fields {
  const { id, type, key, occurredAt, sagaId } = record;
  const payload: Fields = { ...record.payload };
  const ids: Record<string, string> = {};
  for (const field of UUID_FIELDS) {
    const own = payload[field];
    if (typeof own !== 'string') continue;
    ids[field] = own;
    payload[field] = toStableUuid(own);
  }
  // Not from the record's own saga id: versions before 0.3 gave all records of a purchase the same one, and during an upgrade
  // their records are published too.
  const step = toStableUuid(sagaIdOf(record));
  const added = addedFields(record);
  return { type, id, sagaId: step, timestamp: occurredAt, ...payload, ...added, fairline: { key, sagaId, ids } };
}

/** What the flat format has besides the payload, and where it differs from it. */
function addedFields(record: FairlineRecord): Fields {
  switch (record.type) {
    case 'PAYMENT_CONFIRMED':
      return {
        paymentId: toStableUuid(record.payload.orderId),
        // A transfer is found by its referenceId. With a reservationId, its price would look like the price of the reservation.
        reservationId: uuidIf(record.payload.paymentType === 'reservation', record.payload.reservationId),
        paymentMethod: record.payload.paymentMethod ?? null,
      };
    case 'PAYMENT_REFUNDED':
      return {
        paymentId: toStableUuid(record.payload.orderId),
        // Consumers cancel this reservation.
        reservationId: uuidIf(endsReservation(record), record.payload.reservationId),
        reason: record.payload.wasConfirmed ? 'refunded' : 'paid-too-late',
      };
    case 'RESERVATION_CREATED':
      return { totalAmount: record.payload.amount };
    case 'RESERVATION_CONFIRMED':
      return { totalAmount: record.payload.amount, paymentMethod: record.payload.paymentMethod ?? null };
    case 'RESERVATION_CANCELLED':
      return { totalAmount: record.payload.amount, reason: 'refunded' };
    case 'TRANSFER_COMPLETED':
      return { totalPrice: record.payload.price };
    case 'MEMBERSHIP_ACTIVATED':
      return { artistId: null };
    case 'TRANSFER_CANCELLED':
    case 'TRAFFIC_COUNTED':
      return {};
  }
}

function endsReservation({ payload }: RecordOf<'PAYMENT_REFUNDED'>): boolean {
  return payload.reservationCancelled ?? payload.wasConfirmed;
}

function uuidIf(isConcerned: boolean, id: string | null): string | null {
  return isConcerned && id !== null ? toStableUuid(id) : null;
}

export function isFlat(value: unknown): value is Static<typeof FlatRecord> & Fields {
  return flatRecord.Check(value);
}

/** A message of another producer in the same topics, while both systems run side by side. */
export function isForeign(value: unknown): boolean {
  return foreignRecord.Check(value);
}

/** The nested record, not validated yet. */
export function fromFlat(flat: Static<typeof FlatRecord> & Fields): Fields {
  const { id, type, timestamp: occurredAt } = flat;
  const { key, sagaId, ids }: Fields & { ids: Record<string, string> } = flat.fairline;
  const fields: Fields = { ...flat, ...ids };
  const names = isKnown(type) ? Object.keys(recordTypes[type].payload.properties) : [];
  const payload = Object.fromEntries(
    names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
  return { id, type, key, occurredAt, sagaId, payload };
}

function isKnown(type: string): type is FairlineRecord['type'] {
  return Object.hasOwn(recordTypes, type);
}

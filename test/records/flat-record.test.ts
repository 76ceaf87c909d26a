import { describe, expect, it } from 'vitest';
import { toFlat } from '../../src/records/flat-record.ts';
import { readRecord } from '../../src/records/read-record.ts';
import { type FairlineRecord, type Payload, type RecordType, recordTypes, sagaIdOf } from '../../src/records/record.ts';
import { ID_NAMESPACE, toStableUuid } from '../../src/records/stable-uuid.ts';
import { toFlatMessage } from '../../src/records/to-flat-message.ts';

const AT = '2027-03-01T01:00:00.000Z';
/** Computed by Python: uuid.uuid5(ID_NAMESPACE, id). */
const UUIDS = {
  r_42: '1bbc3e27-6a6c-53fb-964e-b170270484a3',
  'spring-tour': 'be2c2867-9f38-5f5b-a820-c731a5631bc3',
  o_51: '47ba28cd-62ed-55a1-8393-b87d38ad8e19',
  t_7: '9fdde938-a403-5b2b-b2a0-82ad8856cd38',
  m_9: '1ad5c07d-eb39-52ad-b3fc-43dde578e068',
  'PAYMENT_CONFIRMED:o_51': '3e337817-bfb5-59fa-b4b5-a2bffb3f58cc',
  'PAYMENT_REFUNDED:o_51': 'fe442d50-5228-50ab-af66-83a817b08972',
  공연: '01aa6007-23d0-5d33-b596-3d6e40ac43ab',
};

const money = { amount: 176_000, currency: 'KRW' };
const payment: Payload<'PAYMENT_CONFIRMED'> = {
  ...{
    orderId: 'o_51',
    paymentKey: 'p_51',
    paymentType: 'reservation' as const,
    referenceId: 'r_42',
    reservationId: 'r_42',
  },
  ...{ eventId: 'spring-tour', userId: 'mina', ...money, paymentMethod: 'card' },
};
const transferPayment = { ...payment, paymentType: 'transfer', referenceId: 't_7' };
const membershipPayment = {
  ...payment,
  ...{ paymentType: 'membership', referenceId: 'm_9', reservationId: null, eventId: null },
};
const reservation = { reservationId: 'r_42', eventId: 'spring-tour', userId: 'mina', ...money };
const transfer = { transferId: 't_7', reservationId: 'r_42', eventId: 'spring-tour', sellerId: 'mina' };

const samples: { [T in RecordType]: Payload<T> } = {
  PAYMENT_CONFIRMED: payment,
  PAYMENT_REFUNDED: { ...payment, wasConfirmed: true, reservationCancelled: true },
  RESERVATION_CREATED: { ...reservation, tickets: 2 },
  RESERVATION_CONFIRMED: { ...reservation, orderId: 'o_51', paymentMethod: 'card' },
  RESERVATION_CANCELLED: { ...reservation, orderId: 'o_51' },
  TRANSFER_COMPLETED: { ...transfer, buyerId: 'jun', orderId: 'o_52', price: 150_000, currency: 'KRW' },
  TRANSFER_CANCELLED: transfer,
  MEMBERSHIP_ACTIVATED: { membershipId: 'm_9', userId: 'mina', orderId: 'o_53', ...money, startsAt: AT, endsAt: AT },
  TRAFFIC_COUNTED: { eventId: 'spring-tour', joined: 3, admitted: 2 },
};
const types = Object.keys(samples) as RecordType[];

function recordOf(type: RecordType, payload: object = samples[type]): FairlineRecord {
  const id = '7c0e6a52-0d1f-4c1b-9a43-4a1d4f0f6f1e';
  const key = (payload as Record<string, string>)[recordTypes[type].by]!;
  return { id, type, key, occurredAt: AT, sagaId: sagaIdOf({ id, type, key }), payload } as FairlineRecord;
}
const flatOf = (type: RecordType, payload?: object) => toFlat(recordOf(type, payload));

describe('the UUID of an id', () => {
  it.each(Object.entries(UUIDS))('is the version 5 UUID of %s', (id, uuid) => {
    expect(toStableUuid(id)).toBe(uuid);
  });

  it('is the id itself where that is a UUID', () => {
    expect(toStableUuid(ID_NAMESPACE.toUpperCase())).toBe(ID_NAMESPACE);
  });
});

describe('a flat record', () => {
  it.each(types)('of %s is read as the same record as a nested one', (type) => {
    const nested = recordOf(type);
    expect(readRecord(JSON.stringify(nested))).toEqual({ outcome: 'record', record: nested });
    expect(readRecord(JSON.stringify(toFlat(nested)))).toEqual({ outcome: 'record', record: nested });
  });

  it.each([
    ['a transfer', transferPayment],
    ['a membership', membershipPayment],
  ])('of a payment for %s is read as the same record as a nested one', (_what, payload) => {
    const nested = recordOf('PAYMENT_CONFIRMED', payload);
    expect(readRecord(JSON.stringify(toFlat(nested)))).toEqual({ outcome: 'record', record: nested });
  });

  // The fields of URR's event records, with their types.
  it.each<[RecordType, object, object]>([
    [
      'PAYMENT_CONFIRMED',
      payment,
      {
        ...{ sagaId: UUIDS['PAYMENT_CONFIRMED:o_51'], paymentId: UUIDS.o_51, orderId: 'o_51', userId: 'mina' },
        ...{ reservationId: UUIDS.r_42, referenceId: UUIDS.r_42, paymentType: 'reservation', amount: 176_000 },
        paymentMethod: 'card',
      },
    ],
    [
      'PAYMENT_CONFIRMED',
      transferPayment,
      { paymentId: UUIDS.o_51, reservationId: null, referenceId: UUIDS.t_7, paymentType: 'transfer', amount: 176_000 },
    ],
    [
      'PAYMENT_CONFIRMED',
      membershipPayment,
      { reservationId: null, referenceId: UUIDS.m_9, paymentType: 'membership' },
    ],
    [
      'PAYMENT_REFUNDED',
      samples.PAYMENT_REFUNDED,
      {
        ...{ sagaId: UUIDS['PAYMENT_REFUNDED:o_51'], paymentId: UUIDS.o_51, orderId: 'o_51', userId: 'mina' },
        ...{ reservationId: UUIDS.r_42, paymentType: 'reservation', amount: 176_000, reason: 'refunded' },
      },
    ],
    [
      'RESERVATION_CREATED',
      samples.RESERVATION_CREATED,
      { reservationId: UUIDS.r_42, userId: 'mina', eventId: UUIDS['spring-tour'], totalAmount: 176_000 },
    ],
    [
      'RESERVATION_CONFIRMED',
      samples.RESERVATION_CONFIRMED,
      { reservationId: UUIDS.r_42, eventId: UUIDS['spring-tour'], totalAmount: 176_000, paymentMethod: 'card' },
    ],
    [
      'RESERVATION_CANCELLED',
      samples.RESERVATION_CANCELLED,
      { reservationId: UUIDS.r_42, userId: 'mina', eventId: UUIDS['spring-tour'], reason: 'refunded' },
    ],
    [
      'TRANSFER_COMPLETED',
      samples.TRANSFER_COMPLETED,
      {
        ...{ transferId: UUIDS.t_7, reservationId: UUIDS.r_42, sellerId: 'mina', buyerId: 'jun', totalPrice: 150_000 },
        eventId: UUIDS['spring-tour'],
      },
    ],
    ['MEMBERSHIP_ACTIVATED', samples.MEMBERSHIP_ACTIVATED, { membershipId: UUIDS.m_9, userId: 'mina', artistId: null }],
  ])('of %s has the fields that URR’s consumers read', (type, payload, fields) => {
    expect(flatOf(type, payload)).toMatchObject({ type, timestamp: AT, ...fields });
  });

  it('has a saga id for each step, also if the record is from a version that had one for each purchase', () => {
    const steps = types.map((type) => flatOf(type).sagaId);
    expect(new Set(steps).size).toBe(types.length);
    const [confirmed, refunded] = [recordOf('PAYMENT_CONFIRMED'), recordOf('PAYMENT_REFUNDED')].map((record) =>
      toFlat({ ...record, sagaId: 'r_42' }),
    );
    expect([confirmed!.sagaId, refunded!.sagaId]).toEqual([
      UUIDS['PAYMENT_CONFIRMED:o_51'],
      UUIDS['PAYMENT_REFUNDED:o_51'],
    ]);
  });

  it.each([
    ['came too late', { wasConfirmed: false, reservationCancelled: false }, 'paid-too-late'],
    ['is of a former owner', { wasConfirmed: true, reservationCancelled: false }, 'refunded'],
  ])('names no reservation to cancel if the refunded payment %s', (_why, refund, reason) => {
    const flat = flatOf('PAYMENT_REFUNDED', { ...payment, ...refund });
    expect(flat).toMatchObject({ reservationId: null, reason, fairline: { ids: { reservationId: 'r_42' } } });
  });

  it('names the reservation of a refund from a version that did not say whether it is cancelled', () => {
    expect(flatOf('PAYMENT_REFUNDED', { ...payment, wasConfirmed: true })).toMatchObject({ reservationId: UUIDS.r_42 });
  });

  it('is malformed without one of its fields', () => {
    const { currency, ...rest } = flatOf('PAYMENT_CONFIRMED');
    expect(currency).toBe('KRW');
    expect(readRecord(JSON.stringify(rest))).toMatchObject({ outcome: 'malformed' });
  });
});

describe('messages of the topics that are no records', () => {
  it('are ignored if another system wrote them in the same shape', () => {
    const { fairline, ...theirs } = flatOf('PAYMENT_CONFIRMED');
    expect(fairline).toBeDefined();
    expect(readRecord(JSON.stringify(theirs))).toEqual({ outcome: 'unknown' });
  });

  it('are published as they are', () => {
    const dead = {
      topic: 'payment-events.dlq',
      key: 'o_51',
      value: JSON.stringify({ topic: 'payment-events', tries: 5 }),
    };
    const newer = {
      topic: 'payment-events',
      key: 'o_51',
      value: JSON.stringify({ ...recordOf('PAYMENT_CONFIRMED'), type: 'X' }),
    };
    expect([dead, newer].map(toFlatMessage)).toEqual([dead, newer]);
  });
});

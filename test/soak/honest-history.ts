/** A small history in which every promise was kept: what a run records, written by hand. Tests falsify it. */
import { createHash } from 'node:crypto';
import type { Asked, DoorAction, DrawEnd, Ended, History, HistoryEntry, Recorded, Said, ShopAsked } from './history.ts';
import { drawnNumbers } from './oracle/tier1-checks.ts';

/** Seconds after this are the times of all entries. */
const START = 1_800_000_000_000;
export const at = (seconds: number) => START + Math.round(seconds * 1_000);

const seed = '5e'.repeat(32);
const lots = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const commitment = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
const draw: DrawEnd = { eventId: 'draw-1', announced: commitment, commitment, seed, firstNumber: 1, lots };

export function createHonestHistory(): History {
  const entries = [
    ...rooms(),
    ...line(),
    ...redisAway(),
    ...claimRoom(),
    ...tier1(),
    ...drawn(),
    ...purchases(),
    ...records(),
    ...calmEnd(),
    end(),
  ];
  return {
    facts: {
      seed: 1,
      store: 'redis',
      mayLoseWrites: false,
      admissionIntervalMs: 250,
      seenTtlMs: 40_000,
      claimTtlMs: 12_000,
      activeTtlMs: 20_000,
      maxPerPerson: 2,
      startedAt: START,
    },
    entries: structuredClone(entries),
  };
}

function asked(
  seconds: number,
  visitor: string,
  eventId: string,
  action: DoorAction,
  more: Partial<Asked> = {},
): Asked {
  const from = at(seconds);
  return {
    kind: 'asked',
    at: from,
    until: from + 10,
    visitor,
    eventId,
    process: 'line-1.1',
    action,
    status: 200,
    ...more,
  };
}

const told = (state: Said['state'], number: number, more: Partial<Said> = {}): { said: Said } => ({
  said: { state, number, ...more },
});

function rooms(): HistoryEntry[] {
  const put = (seconds: number, eventId: string, settings: Record<string, unknown>): HistoryEntry => ({
    ...{ kind: 'operated', action: 'room', at: at(seconds), until: at(seconds) + 10, eventId, status: 200, settings },
  });
  return [
    put(0, 'hall-1', { maxActive: 2 }),
    put(0, 'gallery', { maxActive: 2, admission: 'claim' }),
    put(0, 'arena', { maxActive: 5 }),
    put(0, 'draw-1', { order: 'draw', opensAt: new Date(at(30)).toISOString(), maxActive: 5 }),
    put(40, 'hall-1', { state: 'paused' }),
    put(42, 'hall-1', { state: 'open' }),
  ];
}

/** anna and ben go straight in; carl and dora wait; carl is admitted when anna leaves, dora when ben does. */
function line(): HistoryEntry[] {
  const inside = (number: number, expires: number) =>
    told('inside', number, { tokenId: `t.${number}`, expiresAt: at(expires) });
  const sample = (seconds: number, many: number, waiting: number): HistoryEntry => ({
    ...{ kind: 'sample', at: at(seconds), until: at(seconds) + 2, eventId: 'hall-1', inside: many, waiting },
  });
  return [
    asked(1, 'anna', 'hall-1', 'join', inside(1, 21)),
    asked(1.5, 'ben', 'hall-1', 'join', inside(2, 21.5)),
    asked(2, 'carl', 'hall-1', 'join', told('waiting', 3)),
    asked(2.5, 'dora', 'hall-1', 'stream-open', { process: 'line-2.1' }),
    asked(2.6, 'dora', 'hall-1', 'stream-event', { process: 'line-2.1', ...told('waiting', 4) }),
    asked(3, 'carl', 'hall-1', 'status', { process: 'line-2.1', ...told('waiting', 3) }),
    sample(3.5, 2, 2),
    asked(4, 'anna', 'hall-1', 'leave'),
    { kind: 'entry', at: at(4.2), eventId: 'hall-1', number: 3, id: `${at(4.2)}-0` },
    sample(4.3, 2, 1),
    asked(4.5, 'carl', 'hall-1', 'status', inside(3, 24.5)),
    asked(4.9, 'carl', 'hall-1', 'status', { process: 'line-2.1', ...inside(3, 24.9) }),
    asked(5, 'dora', 'hall-1', 'stream-event', { process: 'line-2.1', ...told('waiting', 4) }),
    asked(5.5, 'ben', 'hall-1', 'leave'),
    { kind: 'entry', at: at(5.7), eventId: 'hall-1', number: 4, id: `${at(5.7)}-0` },
    asked(5.8, 'dora', 'hall-1', 'stream-event', { process: 'line-2.1', ...inside(4, 25.8) }),
    sample(6, 2, 0),
    asked(7, 'dora', 'hall-1', 'leave'),
    asked(8, 'carl', 'hall-1', 'leave'),
    sample(9, 0, 0),
    asked(9, 'stranger', 'unknown-7', 'join', { status: 404, code: 'EVENT_NOT_FOUND' }),
    // A guest who signs in.
    asked(50, 'gus', 'hall-1', 'join', told('waiting', 5)),
    {
      kind: 'operated',
      action: 'sign-in',
      at: at(51),
      until: at(51.2),
      eventId: 'hall-1',
      visitor: 'gus',
      status: 200,
    },
    asked(52, 'gus', 'hall-1', 'status', told('waiting', 5)),
    asked(53, 'gus', 'hall-1', 'leave'),
  ];
}

/** emil waits at line-1 while Redis is away, and keeps the page; a newcomer gets 503. */
function redisAway(): HistoryEntry[] {
  return [
    asked(60, 'emil', 'hall-1', 'join', told('waiting', 6)),
    asked(61, 'emil', 'hall-1', 'status', told('waiting', 6)),
    asked(65, 'emil', 'hall-1', 'status', told('waiting', 6)),
    asked(65.5, 'finn', 'hall-1', 'join', { status: 503, code: 'STORE_UNAVAILABLE', retryAfter: 1 }),
    { kind: 'ready', at: at(66), until: at(66), process: 'line-1.1', status: 503, reason: 'Redis is unavailable' },
    asked(67, 'emil', 'hall-1', 'status', told('waiting', 6)),
    {
      ...{ kind: 'fault', no: 1, fault: 'redis-kill', target: 'redis', area: 'redis', at: at(63), until: at(68) },
      ...{ recoveredAt: at(68.3), isClean: true },
    },
    asked(69, 'emil', 'hall-1', 'status', told('waiting', 6)),
    asked(70, 'emil', 'hall-1', 'leave'),
    {
      ...{
        kind: 'fault',
        no: 2,
        fault: 'postgres-kill',
        target: 'postgres',
        area: 'postgres',
        at: at(100),
        until: at(104),
      },
      ...{ recoveredAt: at(104.5), isClean: true },
    },
    asked(101, 'ines', 'hall-1', 'join', told('waiting', 30)),
    asked(102, 'ines', 'hall-1', 'leave'),
  ];
}

function claimRoom(): HistoryEntry[] {
  const claim = (seconds: number, visitor: string, action: DoorAction, said: Said, more: Partial<Asked> = {}) =>
    asked(seconds, visitor, 'gallery', action, { said, ...more });
  return [
    claim(10, 'kim', 'claim-join', { state: 'waiting', place: 'p1' }, { status: 202, key: 'k1' }),
    claim(10.2, 'kim', 'claim-join', { state: 'waiting', place: 'p1' }, { status: 409, key: 'k1' }),
    asked(10.5, 'kim', 'gallery', 'enter', { status: 403, code: 'NOT_READY' }),
    { kind: 'entry', at: at(11), eventId: 'gallery', number: 1, id: `${at(11)}-0` },
    claim(11.5, 'kim', 'claim-status', { state: 'ready', enterBy: at(23) }),
    claim(12, 'kim', 'enter', { state: 'inside', tokenId: 'g.1' }),
    claim(13, 'kim', 'claim-status', { state: 'inside' }),
    asked(14, 'kim', 'gallery', 'leave'),
  ];
}

function tier1(): HistoryEntry[] {
  const flip = (seconds: number, action: 'tier1-on' | 'tier1-off'): HistoryEntry => ({
    ...{ kind: 'operated', action, at: at(seconds), until: at(seconds) + 20, eventId: 'arena', status: 200 },
  });
  return [
    flip(20, 'tier1-on'),
    asked(24, 'lena', 'arena', 'assign', told('lobby', 11)),
    asked(25, 'lena', 'arena', 'check', told('lobby', 11)),
    asked(26, 'lena', 'arena', 'join', told('inside', 11, { tokenId: 'a.11', expiresAt: at(46) })),
    asked(27, 'lena', 'arena', 'leave'),
    asked(27.5, 'max', 'arena', 'join', { status: 403, code: 'VWR_REQUIRED' }),
    flip(30, 'tier1-off'),
  ];
}

function drawn(): HistoryEntry[] {
  const numbers = drawnNumbers(draw);
  return lots.slice(0, 2).flatMap((lot, no) => {
    const visitor = ['nora', 'olga'][no]!;
    const number = numbers.get(lot)!;
    return [
      asked(25 + no / 10, visitor, 'draw-1', 'join', { said: { state: 'lobby', lot } }),
      asked(
        32 + no / 10,
        visitor,
        'draw-1',
        'status',
        told('inside', number, { lot, tokenId: `d.${number}`, expiresAt: at(52) }),
      ),
      asked(33 + no / 10, visitor, 'draw-1', 'leave'),
    ];
  });
}

/** paul buys a seat; quin's payment is declined; rosa cancels and is refunded. */
function purchases(): HistoryEntry[] {
  const shop = (seconds: number, visitor: string, action: ShopAsked['action'], more: Partial<ShopAsked>): ShopAsked => {
    const from = at(seconds);
    return {
      kind: 'shop',
      at: from,
      until: from + 20,
      visitor,
      eventId: 'hall-1',
      process: 'shop-1.1',
      action,
      status: 200,
      ...more,
    };
  };
  const buyers = ['paul', 'quin', 'rosa'].flatMap((visitor, no): HistoryEntry[] => {
    const number = 20 + no;
    const start = 80 + no / 10;
    const ids = { reservationId: `r_${no}`, amount: 50_000 };
    return [
      asked(
        start,
        visitor,
        'hall-1',
        'join',
        told('inside', number, { tokenId: `t.${number}`, expiresAt: at(start + 20) }),
      ),
      shop(start + 1, visitor, 'hold', {
        ...{ status: 201, key: `h${no}`, tokenId: `t.${number}`, seats: [`A-1-${no + 1}`], holdEndsAt: at(start + 7) },
        ...ids,
      }),
      shop(start + 1.5, visitor, 'hold', {
        key: `h${no}`,
        tokenId: `t.${number}`,
        seats: [`A-1-${no + 1}`],
        holdEndsAt: at(start + 7),
        ...ids,
      }),
      shop(start + 2, visitor, 'prepare', { orderId: `o_${no}`, ...ids }),
      shop(start + 3, visitor, 'confirm', {
        ...{ orderId: `o_${no}`, method: 'card-approve', ...ids },
        ...(no === 1 ? { status: 402, code: 'PAYMENT_DECLINED' } : {}),
      }),
    ];
  });
  return [...buyers, shop(86, 'rosa', 'cancel', { reservationId: 'r_2' })];
}

export function record(offset: number, type: string, key: string, payload: Record<string, unknown>): Recorded {
  const topic = type.startsWith('PAYMENT') ? 'payment-events' : 'reservation-events';
  const id = `${type}-${key}`;
  const occurredAt = new Date(at(85)).toISOString();
  return {
    kind: 'record',
    topic,
    partition: 1,
    offset,
    text: JSON.stringify({ id, type, key, occurredAt, sagaId: key, payload }),
  };
}

function records(): HistoryEntry[] {
  const payment = (no: number) => ({
    orderId: `o_${no}`,
    paymentType: 'reservation',
    reservationId: `r_${no}`,
    amount: 50_000,
  });
  const reservation = (no: number) => ({ reservationId: `r_${no}`, amount: 50_000 });
  return [
    ...[0, 1, 2].map((no) => record(no, 'RESERVATION_CREATED', `r_${no}`, reservation(no))),
    ...[0, 2].map((no) => record(10 + no, 'PAYMENT_CONFIRMED', `o_${no}`, payment(no))),
    ...[0, 2].map((no) => record(20 + no, 'RESERVATION_CONFIRMED', `r_${no}`, reservation(no))),
    record(30, 'PAYMENT_REFUNDED', 'o_2', payment(2)),
    record(31, 'RESERVATION_CANCELLED', 'r_2', reservation(2)),
    // A relay that died sends again.
    record(32, 'PAYMENT_CONFIRMED', 'o_0', payment(0)),
  ];
}

/** A calm time with a full room: tina waits, and gets in when a slot is free. */
function calmEnd(): HistoryEntry[] {
  const polls = Array.from({ length: 14 }, (_, no) => asked(201 + no, 'tina', 'hall-1', 'status', told('waiting', 31)));
  const samples = Array.from({ length: 150 }, (_, no): HistoryEntry => {
    const from = at(200 + no / 10);
    return { kind: 'sample', at: from, until: from + 2, eventId: 'hall-1', inside: 2, waiting: 1 };
  });
  return [
    asked(200.5, 'tina', 'hall-1', 'join', told('waiting', 31)),
    ...polls,
    ...samples,
    { kind: 'entry', at: at(215.5), eventId: 'hall-1', number: 31, id: `${at(215.5)}-0` },
    asked(216, 'tina', 'hall-1', 'status', told('inside', 31, { tokenId: 't.31', expiresAt: at(236) })),
    asked(217, 'tina', 'hall-1', 'leave'),
  ];
}

function end(): Ended {
  const seat = (no: number, state: string, reservationId: string | null) => ({
    ...{ eventId: 'hall-1', id: `A-1-${no}`, state, reservationId },
  });
  const reservation = (no: number, state: string, seats: string[]) => ({
    ...{ id: `r_${no}`, eventId: 'hall-1', visitor: ['paul', 'quin', 'rosa'][no]!, state, amount: 50_000, seats },
  });
  const payment = (no: number, state: string) => ({
    ...{ orderId: `o_${no}`, reservationId: `r_${no}`, visitor: ['paul', 'quin', 'rosa'][no]!, amount: 50_000, state },
  });
  return {
    kind: 'end',
    at: at(300),
    rooms: [{ eventId: 'hall-1', waiting: 0, admitted: 0, active: 0 }],
    strayKeys: [],
    joins: [{ eventId: 'gallery', counted: 0, mayBeIncomplete: false }],
    draws: [structuredClone(draw)],
    shop: {
      seats: [seat(1, 'sold', 'r_0'), seat(2, 'free', null), seat(3, 'free', null)],
      reservations: [
        reservation(0, 'confirmed', ['A-1-1']),
        reservation(1, 'expired', []),
        reservation(2, 'cancelled', []),
      ],
      payments: [payment(0, 'confirmed'), payment(1, 'declined'), payment(2, 'refunded')],
      charges: [
        { orderId: 'o_0', amount: 50_000, state: 'captured' },
        { orderId: 'o_1', amount: 50_000, state: 'declined' },
        { orderId: 'o_2', amount: 50_000, state: 'refunded' },
      ],
      outbox: 0,
      buried: 0,
      stats: { counts: { created: 3, confirmed: 2, cancelled: 1 }, revenue: 100_000, refunds: 50_000 },
    },
  };
}

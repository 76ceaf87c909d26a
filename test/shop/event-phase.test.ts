import { describe, expect, it } from 'vitest';
import { formatEventTime } from '../../src/pages/texts/event-time.ts';
import { formatMoney } from '../../src/pages/texts/format.ts';
import { nextChangeOf, type PhaseFacts, phaseOf } from '../../src/shop/rules/event-phase.ts';
import { followSale } from '../../src/shop/rules/room-hours.ts';

const HOUR = 3_600_000;
const now = Date.UTC(2027, 3, 17, 10);
const at = (hours: number) => new Date(now + hours * HOUR).toISOString();
const event: PhaseFacts = {
  state: 'open',
  startsAt: at(10),
  salesEndAt: null,
  onSaleAt: null,
  membersFrom: null,
  left: 5,
};

describe('the phase of an event', () => {
  it.each([
    ['draft', { state: 'draft' }],
    ['on-sale', {}],
    ['announced', { onSaleAt: at(2), membersFrom: at(1) }],
    ['presale', { onSaleAt: at(2), membersFrom: at(-1) }],
    ['on-sale', { onSaleAt: at(0), membersFrom: at(-1) }],
    ['paused', { isPaused: true }],
    ['sold-out', { left: 0 }],
    ['sold-out', { left: 0, isPaused: true }],
    ['ended', { startsAt: at(0) }],
    ['ended', { salesEndAt: at(-1) }],
    ['ended', { startsAt: at(-1), left: 0 }],
    ['on-sale', { startsAt: at(-1), salesEndAt: at(1) }],
    ['cancelled', { state: 'cancelled', startsAt: at(-1) }],
  ] as const)('is %s for %o', (phase, change) => {
    expect(phaseOf({ ...event, ...change } as PhaseFacts, now)).toBe(phase);
  });

  it('changes next at the presale, the sale and its end', () => {
    const times = { startsAt: at(3), salesEndAt: null, onSaleAt: at(2), membersFrom: at(1) };
    const next = (hours: number) => nextChangeOf(times, now + hours * HOUR);
    expect([0, 1, 2, 3].map(next)).toEqual([now + HOUR, now + 2 * HOUR, now + 3 * HOUR, undefined]);
  });
});

describe('the room of an event', () => {
  it('closes when the sale ends, and moves with it', () => {
    const [early, late] = [
      { startsAt: at(1), salesEndAt: null },
      { startsAt: at(5), salesEndAt: null },
    ];
    expect(followSale({}, early, undefined)).toEqual({ closesAt: at(1) });
    expect(followSale({ closesAt: at(1) }, late, early)).toEqual({ closesAt: at(5) });
    expect(followSale({ closesAt: at(5) }, early, late)).toEqual({ closesAt: at(1) });
    expect(followSale({ closesAt: at(1) }, early, early)).toBeUndefined();
  });

  it('keeps an earlier closing time of the operator', () => {
    expect(
      followSale({ closesAt: at(2) }, { startsAt: at(5), salesEndAt: null }, { startsAt: at(4), salesEndAt: null }),
    ).toBeUndefined();
  });
});

describe('the time of an event', () => {
  const iso = '2027-04-17T10:00:00Z';
  const format = (timeZone: string, readerZone: string, language: string) =>
    formatEventTime(iso, { timeZone, readerZone, language });

  it('is in the zone of the venue, named, with the reader’s own if the clock there differs', () => {
    expect(format('Asia/Seoul', 'America/New_York', 'en')).toEqual({
      atVenue: 'Saturday, April 17, 2027 at 7:00 PM (Korean Standard Time)',
      forReader: 'Saturday, April 17, 2027 at 6:00 AM (Eastern Daylight Time)',
    });
    expect(format('Asia/Seoul', 'Asia/Tokyo', 'ko')).toEqual({
      atVenue: '2027년 4월 17일 토요일 오후 7:00 (한국 표준시)',
      forReader: undefined,
    });
  });

  it('is in UTC where the zone is not known', () => {
    expect(format('Mars/Olympus', 'UTC', 'en')).toMatchObject({
      atVenue: expect.stringContaining('10:00 AM (Coordinated Universal Time)'),
      forReader: undefined,
    });
  });
});

it('writes Korean prices as ticket sites do', () => {
  expect([formatMoney(110_000, 'KRW', 'ko'), formatMoney(110_000, 'KRW', 'en')]).toEqual(['110,000원', '₩110,000']);
});

/** Layouts: their rules across fields, their seats in the compact map, and the seats that a database gets from them. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import { type LayoutBody, problemsOf, type Section } from '../../src/shop/rules/layout.ts';
import { renderSeatMap } from '../../src/shop/rules/seat-map.ts';
import { toMarkedSeats } from '../../src/shop/rules/seat-marks.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { createShop, unique } from './shop-fixture.ts';

const SECTION: Section = { id: 'A', name: '1층 A구역', rows: 3, seatsPerRow: 6, price: 50_000 };
const layout = (...sections: Partial<Section>[]): LayoutBody => ({
  name: 'Hall',
  sections: sections.map((change, index) => ({ ...SECTION, id: `S${index}`, ...change })),
  standing: [],
});
const fieldsOf = (body: LayoutBody) => problemsOf(body).map(({ field }) => field);

describe('the rules of a layout', () => {
  it('accept sections without any of the optional fields, and with all that fit together', () => {
    expect(problemsOf(layout({}, {}))).toEqual([]);
    const curved = { at: { x: 10, y: 5 }, curve: 60, rotate: -20, rowLabels: ['A', 'B', 'C'], firstSeat: 101 };
    const tables: Partial<Section> = { kind: 'table', across: 2, at: { x: 40, y: 5 }, wheelchair: ['1-1'] };
    expect(problemsOf(layout(curved, tables, { at: { x: 0, y: 20 }, blocked: ['1-1..2', '3-6'] }))).toEqual([]);
  });

  it.each<[string, Partial<Section>[]]>([
    ['sections.1.at', [{ at: { x: 1, y: 1 } }, {}]],
    ['sections.0.curve', [{ kind: 'table', curve: 30 }]],
    ['sections.0.across', [{ across: 2 }]],
    ['sections.0.rowLabels', [{ rowLabels: ['A', 'B'] }]],
    ['sections.0.rowLabels', [{ rowLabels: ['A', 'B', 'A'] }]],
    ['sections.0.blocked', [{ blocked: ['4-1'] }]],
    ['sections.0.blocked', [{ blocked: ['1-5..7'] }]],
    ['sections.0.blocked', [{ blocked: ['1-4..2'] }]],
    ['sections.0.blocked', [{ blocked: ['1-1..6', '2-1..6', '3-1..6'] }]],
    ['sections.0.wheelchair', [{ blocked: ['1-1..3'], wheelchair: ['1-2'] }]],
    ['sections.0.companion', [{ wheelchair: ['1-2'], companion: ['1-2'] }]],
  ])('name the field: %s', (field, sections) => {
    expect(fieldsOf(layout(...sections))).toEqual([field]);
  });

  it('count a seat that is marked twice once', () => {
    expect(toMarkedSeats(['2-3..5', '2-4', '1-1'])).toEqual(new Set(['2-3', '2-4', '2-5', '1-1']));
  });
});

describe('the compact map', () => {
  it('shows blocked seats with a digit of their own and does not count them', () => {
    const sections = [{ ...SECTION, blocked: ['1-1..2', '3-6'] }];
    const states = new Map([['A-1-3', 'sold' as const]]);
    const map = JSON.parse(renderSeatMap({ eventId: 'concert', currency: 'KRW', sections, states }));
    expect(map.sections[0].seats).toEqual(['332000', '000000', '000003']);
    expect(map).toMatchObject({ total: 15, remaining: 14, states: { '3': 'blocked' } });
  });
});

describeOnEachDatabase('seats of a layout', databaseSchema, (suite) => {
  const marked = { blocked: ['1-3..4'], wheelchair: ['2-1'], companion: ['2-2'], rowLabels: ['가', '나', '다'] };

  it('cannot be held where they are blocked, neither by id nor as the best ones', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent({ sections: [{ ...SECTION, ...marked }], maxPerPerson: 20 });
    expect((await shop.events.findEvent(eventId))!.seats).toEqual({ total: 16, remaining: 16 });
    const visitor = unique('visitor');
    const byId = await shop.holds.holdSeats({ eventId, visitor, seats: { ids: ['A-1-3'] } });
    expect(byId).toEqual({ outcome: 'unknown', seats: ['A-1-3'] });
    const together = await shop.holds.holdSeats({ eventId, visitor, seats: { ids: ['A-1-2', 'A-1-3'] } });
    expect(together).toEqual({ outcome: 'unknown', seats: ['A-1-3'] });
    // Row 1 has two pairs beside its gap, row 2 four seats beside those for wheelchairs: only row 3 has five.
    const best = await shop.holds.holdSeats({ eventId, visitor, seats: { best: 5 } });
    expect(best.outcome === 'held' && best.reservation.items.map((item) => 'row' in item && item.row)).toEqual([
      3, 3, 3, 3, 3,
    ]);
    expect(await shop.findContradictions(eventId)).toEqual([]);
  });

  it('are called by the name of their section and by their labels, in the hold and later', async () => {
    const shop = createShop(suite);
    const tables: Section = { ...SECTION, id: 'T', name: '테이블석', kind: 'table', rows: 2, seatsPerRow: 4 };
    const sections = [{ ...SECTION, ...marked, firstSeat: 101 }, tables];
    const eventId = await shop.createEvent({ sections });
    const { reservationId, items } = await shop.hold(eventId, unique('visitor'), 'A-2-1', 'A-3-6', 'T-2-4');
    const names = { sectionName: '1층 A구역', section: 'A' };
    expect(items).toMatchObject([
      { ...names, rowLabel: '나', seatLabel: '101', access: 'wheelchair' },
      { ...names, rowLabel: '다', seatLabel: '106' },
      { sectionName: '테이블석', rowLabel: '2', seatLabel: '4', kind: 'table' },
    ]);
    expect((await shop.holds.find(reservationId))!.items).toEqual(items);
  });

  it('take their names from the event if they were generated before names were stored', async () => {
    const shop = createShop(suite);
    const eventId = await shop.createEvent({ sections: [SECTION] });
    await sql`update seats set section_name = null where event_id = ${eventId}`.execute(suite.db);
    const { reservationId, items } = await shop.hold(eventId, unique('visitor'), 'A-2-1');
    expect(items).toMatchObject([{ sectionName: '1층 A구역', rowLabel: '2', seatLabel: '1' }]);
    expect((await shop.holds.find(reservationId))!.items).toEqual(items);
  });
});

/** Pure parts of the pages of events: times of a venue, steps of the guide, geometry and edits of layouts, undo. */
import { describe, expect, it } from 'vitest';
import { fromZoneText, offsetText, toZoneText } from '../../../src/pages/admin/controls/zone-time.ts';
import { record, redo, startHistory, undo } from '../../../src/pages/admin/events/layouts/history.ts';
import {
  addSection,
  changeSection,
  markSeats,
  rotateSection,
  seatKind,
  toMarks,
} from '../../../src/pages/admin/events/layouts/layout-edits.ts';
import {
  layoutBox,
  placeAll,
  seatAt,
  seatPlaces,
  sectionBox,
  toMap,
} from '../../../src/pages/admin/events/layouts/layout-geometry.ts';
import {
  findMissing,
  findWorth,
  rehearseCommand,
  resumeAt,
  suggestId,
  type WizardState,
} from '../../../src/pages/admin/events/wizard/wizard-steps.ts';
import { type LayoutBody, problemsOf } from '../../../src/shop/rules/layout.ts';

describe('times of a venue', () => {
  it('are the wall clock there, in both directions', () => {
    expect(fromZoneText('2027-04-17T19:00', 'Asia/Seoul')).toBe('2027-04-17T10:00:00.000Z');
    expect(toZoneText('2027-04-17T10:00:00.000Z', 'Asia/Seoul')).toBe('2027-04-17T19:00');
    expect(toZoneText('2027-04-17T10:00:30.000Z', 'Asia/Seoul')).toBe('2027-04-17T19:00:30');
    expect(fromZoneText('2027-07-01T20:30', 'America/New_York')).toBe('2027-07-02T00:30:00.000Z');
    expect(fromZoneText('2027-01-01T20:30', 'America/New_York')).toBe('2027-01-02T01:30:00.000Z');
    expect(offsetText(Date.parse('2027-01-01T00:00Z'), 'America/New_York')).toBe('UTC−05:00');
  });

  it('do not exist while clocks are set forward', () => {
    expect(fromZoneText('2027-03-14T02:30', 'America/New_York')).toBeUndefined();
    expect(fromZoneText('2027-03-14T03:30', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z');
    expect(fromZoneText('', 'Asia/Seoul')).toBeUndefined();
  });
});

describe('the guide', () => {
  const event = {
    state: 'draft',
    startsAt: '2100-05-01T10:00:00Z',
    onSaleAt: null,
    salesEndAt: null,
    imageUrl: null,
    prices: null,
    seats: { total: 0, remaining: 0 },
    standing: [],
  };
  const room = { settings: { maxActive: 5 }, overrides: {}, phase: 'open' };
  const stateOf = (change: object, other: object = {}) =>
    ({ event: { ...event, ...change }, room: { ...room, ...other } }) as unknown as WizardState;
  const sold = { seats: { total: 5, remaining: 5 } };

  it('resumes at the first open step, and leaves the poster out', () => {
    expect(resumeAt({ event: undefined, room: undefined })).toBe('details');
    expect(resumeAt(stateOf({}))).toBe('seats');
    expect(resumeAt(stateOf(sold))).toBe('times');
    const timed = { ...sold, onSaleAt: '2100-04-01T10:00:00Z' };
    expect(resumeAt(stateOf(timed))).toBe('limits');
    expect(resumeAt(stateOf(timed, { overrides: { maxActive: 5 } }))).toBe('review');
    expect(resumeAt(stateOf({ ...timed, state: 'open' }, { overrides: { maxActive: 5 } }))).toBe('rehearse');
  });

  it('finds what keeps an event from being published, and what is worth a look', () => {
    const now = Date.parse('2100-04-01T00:00Z');
    const names = (state: WizardState) => findMissing(state, now).map(({ name }) => name);
    expect(names(stateOf({}))).toEqual(['seats']);
    expect(names(stateOf(sold))).toEqual([]);
    expect(names(stateOf({ ...sold, startsAt: '2100-03-01T00:00:00Z' }))).toEqual(['past']);
    expect(names(stateOf({ ...sold, salesEndAt: '2100-03-01T00:00:00Z' }))).toEqual(['ended']);
    expect(names(stateOf(sold, { settings: { maxActive: 0 } }))).toEqual(['limit']);
    expect(findWorth(stateOf(sold)).map(({ name }) => name)).toEqual(['onSale']);
    expect(findWorth(stateOf({ ...sold, onSaleAt: '2100-04-02T00:00:00Z' })).map(({ name }) => name)).toEqual([
      'opensAt',
    ]);
  });

  it('suggests an id and writes the command of a rehearsal', () => {
    expect(suggestId('Spring Night!', '')).toBe('spring-night');
    expect(suggestId('봄밤', '2027-04-17T19:00')).toBe('event-2027-04-17');
    expect(rehearseCommand('spring', 'https://tickets.example', { maxActive: 80, admitPerSecond: 4 }, 500)).toBe(
      'npx fairline rehearse https://tickets.example --event rehearsal-spring --visitors 500 --limit 80 --rate 4 --i-own tickets.example',
    );
  });
});

describe('a drawn layout', () => {
  const section = { id: 'A', name: 'A', rows: 3, seatsPerRow: 5, price: 1 };
  const layout = { name: 'Hall', sections: [section], standing: [] };

  it('lies around its middle, and bends around the stage', () => {
    const straight = sectionBox({ ...section, at: { x: 0, y: 10 } });
    expect(straight).toEqual({ left: -2.5, top: 8.5, right: 2.5, bottom: 11.5 });
    const curved = seatPlaces({ ...section, curve: 60 });
    const front = curved.filter(({ row }) => row === 1);
    expect(front[2]!.y).toBeGreaterThan(front[0]!.y);
    expect(front[0]!.y).toBeCloseTo(front[4]!.y);
    const table = seatPlaces({ ...section, kind: 'table', across: 3 });
    expect(new Set(table.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size).toBe(15);
  });

  it('finds the seat under a point of a rotated section', () => {
    const turned = { ...section, at: { x: 4, y: 9 }, rotate: 30, curve: 20 };
    const seat = seatPlaces(turned).find(({ row, number }) => row === 2 && number === 4)!;
    expect(seatAt(turned, toMap(turned, seat))).toMatchObject({ row: 2, number: 4 });
    expect(seatAt(turned, { x: 400, y: 9 })).toBeUndefined();
  });

  it('places sections without a place below each other, within the frame', () => {
    const placed = placeAll({ ...layout, sections: [section, { ...section, id: 'B' }] });
    const [a, b] = placed.sections.map(sectionBox);
    expect(b!.top).toBeGreaterThan(a!.bottom);
    expect(layoutBox(placed).bottom).toBe(b!.bottom);
  });

  it('marks seats as ranges, one kind per seat, and drops marks outside', () => {
    expect(toMarks(new Set(['2-3', '1-1', '2-2', '2-5']))).toEqual(['1-1', '2-2..3', '2-5']);
    let changed = markSeats(layout, 0, ['1-1', '1-2'], 'blocked');
    expect(changed.sections[0]!.blocked).toEqual(['1-1..2']);
    changed = markSeats(changed, 0, ['1-2'], 'wheelchair');
    expect(changed.sections[0]).toMatchObject({ blocked: ['1-1'], wheelchair: ['1-2'] });
    expect(seatKind(changed.sections[0]!, '1-2')).toBe('wheelchair');
    changed = changeSection(changed, 0, { seatsPerRow: 1 });
    expect(changed.sections[0]).not.toHaveProperty('wheelchair');
    expect(markSeats(changed, 0, ['1-1'], 'open').sections[0]).not.toHaveProperty('blocked');
  });

  it('has ids of its own and passes the rules of layouts', () => {
    let drawn: LayoutBody = placeAll(layout);
    for (const kind of ['rows', 'table', 'rows'] as const) drawn = addSection(drawn, kind, (id) => `Section ${id}`);
    expect(drawn.sections.map(({ id }) => id)).toEqual(['A', 'B', 'T1', 'C']);
    expect(problemsOf(drawn)).toEqual([]);
    expect(rotateSection(rotateSection(drawn, 0, 170), 0, 20).sections[0]!.rotate).toBe(-170);
    expect(rotateSection(rotateSection(drawn, 0, 10), 0, -10).sections[0]).not.toHaveProperty('rotate');
  });

  it('is undone and redone, a drag in one step', () => {
    let history = record(record(record(startHistory(0), 1, 'drag'), 2, 'drag'), 3);
    history = undo(history);
    expect(history.now).toBe(2);
    history = undo(history);
    expect([history.now, undo(history).now]).toEqual([0, 0]);
    expect(redo(redo(history)).now).toBe(3);
  });
});

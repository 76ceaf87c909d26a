import { expect, it } from 'vitest';
import { toCalendarFile } from '../../src/pages/texts/calendar-file.ts';

const event = {
  uid: 'r_1',
  title: '봄밤, the concert; part 1',
  venue: 'Seoul Hall',
  startsAt: '2027-04-17T10:00:00Z',
  timeZone: 'Asia/Seoul',
  url: 'https://tickets.example/events/spring',
  now: new Date('2027-01-01T00:00:00.000Z'),
};

it('has the time of the venue, its zone and its offset', () => {
  const file = toCalendarFile(event);
  expect(file).toContain('DTSTART;TZID=Asia/Seoul:20270417T190000\r\n');
  expect(file).toContain('TZID:Asia/Seoul\r\n');
  expect(file).toContain('TZOFFSETTO:+0900\r\n');
  expect(file).toContain('DTSTAMP:20270101T000000Z\r\n');
});

it.each([
  ['America/New_York', '2027-07-04T00:30:00Z', '20270703T203000', '-0400'],
  ['America/New_York', '2027-01-04T00:30:00Z', '20270103T193000', '-0500'],
  ['Asia/Kolkata', '2027-01-04T18:30:00Z', '20270105T000000', '+0530'],
  ['UTC', '2027-01-04T18:30:00Z', '20270104T183000', '+0000'],
])('knows the offset of %s at %s', (timeZone, startsAt, local, offset) => {
  const file = toCalendarFile({ ...event, timeZone, startsAt });
  expect(file).toContain(`DTSTART;TZID=${timeZone}:${local}\r\n`);
  expect(file).toContain(`TZOFFSETTO:${offset}\r\n`);
});

it('escapes texts, and folds lines at 75 bytes between characters', () => {
  expect(toCalendarFile(event)).toContain('SUMMARY:봄밤\\, the concert\\; part 1');
  const file = toCalendarFile({ ...event, title: '가'.repeat(60) });
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${'가'.repeat(60)}\r\n`);
  expect(toCalendarFile({ ...event, venue: 'A\nEND:VCALENDAR' })).not.toContain('\nEND:VCALENDAR\r\nURL');
});

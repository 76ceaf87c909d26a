/** Server-sent events, in whatever pieces the network delivers them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventParser } from '../../src/client/event-parser.ts';

const STREAM = [
  'retry: 1500\n\n',
  'id: r1\nevent: room\ndata: {"state":"open"}\n\n',
  ':\n\n',
  'event: position\r\ndata: {"position":3}\r\n\r\n',
  'data: two\ndata: lines\n\n',
  'event: nothing\n\n',
  'data:no space\rid: 어\r\r',
].join('');
const EVENTS = [
  { event: 'room', data: '{"state":"open"}' },
  { event: 'position', data: '{"position":3}' },
  { event: 'message', data: 'two\nlines' },
  { event: 'message', data: 'no space' },
];

describe('the parser of server-sent events', () => {
  it('finds the same events however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: STREAM.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
        const parser = new EventParser();
        const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end));
        // A comment completes a line break that was cut in two.
        const events = [...pieces, ':\n'].flatMap((piece) => parser.push(piece));
        expect(events).toEqual(EVENTS);
        expect(parser.lastEventId).toBe('어');
        expect(parser.retryMs).toBe(1_500);
      }),
    );
  });

  it('refuses an event without end', () => {
    const parser = new EventParser();
    const piece = 'x'.repeat(100_000);
    expect(() => {
      for (let count = 0; count < 5; count += 1) parser.push(piece);
    }).toThrow('more than 256 KB');
  });
});

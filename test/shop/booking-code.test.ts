import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBookingCode, readBookingCode } from '../../src/shop/rules/booking-code.ts';
import { toEntries } from '../../src/shop/rules/entries.ts';
import { createTickets } from '../../src/shop/tickets.ts';

describe('booking codes', () => {
  it('have a form that can be read out, without characters that look alike', () => {
    for (let i = 0; i < 500; i += 1) {
      expect(createBookingCode((limit) => randomInt(limit))).toMatch(/^FL-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{2}$/);
    }
  });

  it('are read in any spelling', () => {
    for (const text of ['FL-7K2M-94', 'fl7k2m94', ' 7k2m 94 ', 'FL–7K2M–94', '7K2M-94']) {
      expect(readBookingCode(text)).toBe('FL-7K2M-94');
    }
  });

  it('are refused with letters that no code has, or another length', () => {
    for (const text of ['', 'FL-7K2M-9', 'FL-7K2M-940', 'FL-7K2O-94', 'FL-1K2M-94', "FL-7K2M-9'"]) {
      expect(readBookingCode(text)).toBeUndefined();
    }
  });
});

describe('ticket codes', () => {
  const tickets = createTickets(['a secret of thirty-two characters']);

  it('name one entry, or the whole reservation as codes of earlier releases do', () => {
    expect(tickets.read(tickets.codeFor('r_1'))).toEqual({ reservationId: 'r_1', ticketNo: 0 });
    expect(tickets.read(tickets.codeFor('r_1', 2))).toEqual({ reservationId: 'r_1', ticketNo: 2 });
    expect(tickets.read(tickets.codeFor('r_1', 0, 3))).toEqual({ reservationId: 'r_1', ticketNo: 0, entry: 3 });
    expect(tickets.read(tickets.codeFor('r_1', 2, 1))).toEqual({ reservationId: 'r_1', ticketNo: 2, entry: 1 });
  });

  it('of one entry are not valid for another entry, owner or reservation', () => {
    const [, mac] = tickets.codeFor('r_1', 1, 1).split('.');
    for (const name of ['r_1~1~2', 'r_1~0~1', 'r_1~1', 'r_1', 'r_2~1~1', 'r_1~1~01', 'r_1~~1']) {
      expect(tickets.read(`${name}.${mac}`)).toBeUndefined();
    }
  });

  it('admit each person of a reservation once: per seat and per standing ticket', () => {
    const items = [{ seatId: 'A-1-1' }, { typeId: 'floor', quantity: 2 }];
    expect(toEntries(items)).toEqual([
      { seatId: 'A-1-1' },
      { typeId: 'floor', quantity: 1 },
      { typeId: 'floor', quantity: 1 },
    ]);
  });
});

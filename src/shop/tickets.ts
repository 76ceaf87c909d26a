/** Tickets: a code that says which reservation it is for and that we made it, and the code as a picture. */
import { renderSVG } from 'uqr';
import { createMac, isSameMac, MAC_LENGTH } from '../platform/crypto/hmac.ts';

export interface Tickets {
  /** `ticketNo` goes up when the reservation changes hands, and the code of whoever had it is no good any more. */
  codeFor(reservationId: string, ticketNo?: number): string;
  /** What a code is for; undefined for a text that is not a code of ours. */
  read(code: string): { reservationId: string; ticketNo: number } | undefined;
}

const NAME = /^([A-Za-z0-9_-]{1,64})(?:~([1-9]\d{0,8}))?$/;
const LONGEST_NAME = 74;
const PURPOSE = 'ticket ';

export function createTickets(secret: string): Tickets {
  const mac = createMac(secret, PURPOSE.length + LONGEST_NAME);
  const nameOf = (id: string, no: number) => (no === 0 ? id : `${id}~${no}`);
  return {
    codeFor(reservationId, ticketNo = 0) {
      const name = nameOf(reservationId, ticketNo);
      return `${name}.${mac(PURPOSE + name)}`;
    },
    read(code) {
      const name = code.slice(0, -MAC_LENGTH - 1);
      const [, reservationId, ticketNo = '0'] = NAME.exec(name) ?? [];
      if (reservationId === undefined || code[name.length] !== '.') return undefined;
      if (!isSameMac(code.slice(name.length + 1), mac(PURPOSE + name))) return undefined;
      return { reservationId, ticketNo: Number(ticketNo) };
    },
  };
}

/** Readable from a cracked screen in the rain: a quarter of it may be hidden. */
export function drawCode(code: string): string {
  return renderSVG(code, { ecc: 'Q', border: 4 });
}

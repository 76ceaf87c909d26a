/** Tickets: a code that says which reservation it is for and that we made it, and the code as a picture. */
import { renderSVG } from 'uqr';
import { createMac, isSameMac, MAC_LENGTH } from '../platform/hmac.ts';

export interface Tickets {
  codeFor(reservationId: string): string;
  /** The reservation a code is for; undefined for a text that is not a code of ours. */
  read(code: string): string | undefined;
}

const LONGEST_ID = 64;
const PURPOSE = 'ticket ';

export function createTickets(secret: string): Tickets {
  const mac = createMac(secret, PURPOSE.length + LONGEST_ID);
  return {
    codeFor: (reservationId) => `${reservationId}.${mac(PURPOSE + reservationId)}`,
    read(code) {
      const id = code.slice(0, -MAC_LENGTH - 1);
      if (id.length > LONGEST_ID || !/^[A-Za-z0-9_-]+$/.test(id) || code[id.length] !== '.') return undefined;
      return isSameMac(code.slice(id.length + 1), mac(PURPOSE + id)) ? id : undefined;
    },
  };
}

/** Readable from a cracked screen in the rain: a quarter of it may be hidden. */
export function drawCode(code: string): string {
  return renderSVG(code, { ecc: 'Q', border: 4 });
}

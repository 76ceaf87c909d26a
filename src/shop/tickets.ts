/** Tickets: a signed code that names the reservation, and its QR code. */
import { renderSVG } from 'uqr';
import { createMac, isSameMac, MAC_LENGTH } from '../platform/crypto/hmac.ts';

export interface Tickets {
  /** `ticketNo` increases with each transfer, which invalidates the code of the former owner. */
  codeFor(reservationId: string, ticketNo?: number): string;
  /** undefined unless the code is valid. */
  read(code: string): { reservationId: string; ticketNo: number } | undefined;
}

const NAME = /^([A-Za-z0-9_-]{1,64})(?:~([1-9]\d{0,8}))?$/;
const LONGEST_NAME = 74;
const PURPOSE = 'ticket ';

/** `keys`: the one to sign with, then older ones whose codes are still accepted. */
export function createTickets(keys: readonly [string, ...string[]]): Tickets {
  const macs = keys.map((key) => createMac(key, PURPOSE.length + LONGEST_NAME));
  const sign = macs[0]!;
  const nameOf = (id: string, no: number) => (no === 0 ? id : `${id}~${no}`);
  return {
    codeFor(reservationId, ticketNo = 0) {
      const name = nameOf(reservationId, ticketNo);
      return `${name}.${sign(PURPOSE + name)}`;
    },
    read(code) {
      const name = code.slice(0, -MAC_LENGTH - 1);
      const [, reservationId, ticketNo = '0'] = NAME.exec(name) ?? [];
      if (reservationId === undefined || code[name.length] !== '.') return undefined;
      const given = code.slice(name.length + 1);
      if (!macs.some((mac) => isSameMac(given, mac(PURPOSE + name)))) return undefined;
      return { reservationId, ticketNo: Number(ticketNo) };
    },
  };
}

/** Error correction Q: readable from a cracked or wet screen, with a quarter of the code hidden. */
export function drawCode(code: string): string {
  return renderSVG(code, { ecc: 'Q', border: 4 });
}

/** Tickets: a signed code that names the reservation, and its QR code. */
import { renderSVG } from 'uqr';
import { createMac, isSameMac, MAC_LENGTH } from '../platform/crypto/hmac.ts';

export interface Tickets {
  /**
   * `ticketNo` increases with each transfer, which invalidates the codes of the former owner. With `entry` the code admits one
   * person: that seat or standing ticket of the reservation (rules/entries.ts). Without it, all of them.
   */
  codeFor(reservationId: string, ticketNo?: number, entry?: number): string;
  /** undefined unless the code is valid. */
  read(code: string): TicketName | undefined;
}

export interface TicketName {
  reservationId: string;
  ticketNo: number;
  /** undefined: the code of the whole reservation. */
  entry: number | undefined;
}

/** `id`, `id~2` after two transfers, `id~2~1` for the first entry. The last form always has both numbers. */
const NAME = /^([A-Za-z0-9_-]{1,64})(?:~([1-9]\d{0,8})|~(0|[1-9]\d{0,8})~([1-9]\d{0,2}))?$/;
const LONGEST_NAME = 78;
const PURPOSE = 'ticket ';

/** `keys`: the one to sign with, then older ones whose codes are still accepted. */
export function createTickets(keys: readonly [string, ...string[]]): Tickets {
  const macs = keys.map((key) => createMac(key, PURPOSE.length + LONGEST_NAME));
  const sign = macs[0]!;
  return {
    codeFor(reservationId, ticketNo = 0, entry) {
      const name = nameOf({ reservationId, ticketNo, entry });
      return `${name}.${sign(PURPOSE + name)}`;
    },
    read(code) {
      const name = code.slice(0, -MAC_LENGTH - 1);
      const [, reservationId, ofAll = '0', ofEntry, entry] = NAME.exec(name) ?? [];
      if (reservationId === undefined || code[name.length] !== '.') return undefined;
      const given = code.slice(name.length + 1);
      if (!macs.some((mac) => isSameMac(given, mac(PURPOSE + name)))) return undefined;
      return {
        reservationId,
        ticketNo: Number(ofEntry ?? ofAll),
        entry: entry === undefined ? undefined : Number(entry),
      };
    },
  };
}

function nameOf({ reservationId, ticketNo, entry }: TicketName): string {
  if (entry !== undefined) return `${reservationId}~${ticketNo}~${entry}`;
  return ticketNo === 0 ? reservationId : `${reservationId}~${ticketNo}`;
}

/** Error correction Q: readable from a cracked or wet screen, with a quarter of the code hidden. */
export function drawCode(code: string): string {
  return renderSVG(code, { ecc: 'Q', border: 4 });
}

/** Checks a draw from what is published of it: pure, trusts nothing but the arithmetic. */

import { TICKET_BYTES } from '../model/draw-state.ts';
import { castLots, findTicket, finishAtOnce, sortTickets, ticketAt, toCommitment } from './draw.ts';

export interface PublishedDraw {
  commitment: string;
  seed: string;
  listHash: string;
  entries: number;
  firstNumber: number;
}

export interface DrawCheck {
  what: string;
  ok: boolean;
  /** What was found instead, where it is not as it should be. */
  found?: string;
}

export interface DrawVerdict {
  checks: DrawCheck[];
  /** The number that each ticket gets; undefined for one that did not take part. */
  numberOf(ticket: string): number | undefined;
}

const TICKET = /^[0-9a-f]{32}$/;

/** `notedCommitment` is what somebody wrote down before the draw: a commitment changed since is worth nothing. */
export function verifyDraw(draw: PublishedDraw, list: string, notedCommitment?: string): DrawVerdict {
  const lines = list.split('\n').filter((line) => line !== '');
  const tickets = lines.filter((line) => TICKET.test(line));
  const { sorted } = finishAtOnce(sortTickets(Buffer.from(tickets.join(''), 'hex')));
  const { listHash, places } = finishAtOnce(castLots(draw.seed, sorted));
  const checks = [
    check('the seed matches the commitment', toCommitment(draw.seed), draw.commitment),
    check('every line of the list is a ticket', tickets.length, lines.length),
    check('no ticket is on the list twice', countDistinct(sorted), tickets.length),
    check('the list has as many tickets as the draw says', tickets.length, draw.entries),
    check('the list matches its hash', listHash, draw.listHash),
  ];
  if (notedCommitment !== undefined) {
    checks.unshift(check('the commitment is the one noted before', draw.commitment, notedCommitment.toLowerCase()));
  }
  return {
    checks,
    numberOf(ticket) {
      const index = TICKET.test(ticket) ? findTicket(sorted, ticket) : undefined;
      return index === undefined ? undefined : draw.firstNumber + places[index]! - 1;
    },
  };
}

function check(what: string, found: string | number, wanted: string | number): DrawCheck {
  return found === wanted ? { what, ok: true } : { what, ok: false, found: `${found} instead of ${wanted}` };
}

function countDistinct(sorted: Buffer): number {
  const tickets = new Set<string>();
  for (let index = 0; index < sorted.length / TICKET_BYTES; index += 1) tickets.add(ticketAt(sorted, index));
  return tickets.size;
}

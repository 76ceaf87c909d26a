/** The draw of a room as a line keeps it: from the secret seed to the list of those who took part. */

/** Of one ticket. */
export const TICKET_BYTES = 16;

/** announced: the lobby is open; drawing: the list is being fixed and the numbers given; drawn: admission goes on. */
export type DrawPhase = 'announced' | 'drawing' | 'drawn';

export interface DrawSecrets {
  /** 32 bytes in hex; told to nobody before the draw is done. */
  readonly seed: string;
  /** 32 bytes in hex, from which tickets are made; never told. */
  readonly ticketKey: string;
}

export interface Draw extends DrawSecrets {
  phase: DrawPhase;
  /** When the draw began; 0 before. Who was silent then does not take part. */
  beganAt: number;
  /** The number that the first lot gets; 0 before the draw began. */
  firstNumber: number;
  /** How many numbers are kept for the lots: as many as were in the lobby, silent ones included. */
  size: number;
  /** The last who came into the lobby before the draw began. */
  lastArrival: number;
  /** Arrivals up to here are on the list, or were not there. */
  gatheredTo: number;
  /** How many take part. */
  count: number;
  /** Their tickets, 16 bytes for each arrival; zeros for those who do not take part. */
  present: Buffer;
  /** Those of them that there are, in ascending order; written while the draw is worked out. */
  entries: Buffer;
  listHash: string;
  drawnAt: number;
}

export function createDraw({ seed, ticketKey }: DrawSecrets): Draw {
  const nothing = Buffer.alloc(0);
  return {
    seed,
    ticketKey,
    phase: 'announced',
    beganAt: 0,
    firstNumber: 0,
    size: 0,
    lastArrival: 0,
    gatheredTo: 0,
    count: 0,
    present: nothing,
    entries: nothing,
    listHash: '',
    drawnAt: 0,
  };
}

/** Which numbers are given by lot: none before the draw has begun. */
export type LotRange = Pick<Draw, 'phase' | 'firstNumber' | 'size'>;

export function isDrawnNumber({ firstNumber, size }: LotRange, number: number): boolean {
  return number >= firstNumber && number < firstNumber + size;
}

/** Until the draw is done, whoever has a lot is told of the lobby: positions among half of the lots mean nothing. */
export function isUntold(draw: LotRange | undefined, number: number): boolean {
  return draw?.phase === 'drawing' && isDrawnNumber(draw, number);
}

/** Whether `tickets`, 16 bytes for each arrival, has none for the one at `index`. */
export function isHole(tickets: Buffer, index: number): boolean {
  const end = (index + 1) * TICKET_BYTES;
  for (let at = index * TICKET_BYTES; at < end; at += 1) if (tickets[at] !== 0) return false;
  return true;
}

/** The tickets of those who take part, one after the other. */
export function withoutHoles(tickets: Buffer): Buffer {
  const found = Buffer.alloc(tickets.length);
  let length = 0;
  for (let index = 0; index < tickets.length / TICKET_BYTES; index += 1) {
    if (isHole(tickets, index)) continue;
    length += tickets.copy(found, length, index * TICKET_BYTES, (index + 1) * TICKET_BYTES);
  }
  return found.subarray(0, length);
}

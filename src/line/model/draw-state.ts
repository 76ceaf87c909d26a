/** The state of a room's draw: from the secret seed to the list of the visitors who took part. */

/** Length of one lot. */
export const LOT_BYTES = 16;

/** announced: the lobby is open; drawing: the list is fixed and numbers are assigned; drawn: admission runs. */
export type DrawPhase = 'announced' | 'drawing' | 'drawn';

export interface DrawSecrets {
  /** 32 bytes in hex; secret until the draw is done. */
  readonly seed: string;
  /** 32 bytes in hex, the HMAC key of lots; never published. */
  readonly lotKey: string;
}

export interface Draw extends DrawSecrets {
  phase: DrawPhase;
  /** When the draw began; 0 before. Visitors who were silent then do not take part. */
  beganAt: number;
  /** The number of the first lot in the drawn order; 0 before the draw began. */
  firstNumber: number;
  /** How many numbers are reserved for the lots: one per visitor in the lobby, silent ones included. */
  size: number;
  /** The last arrival in the lobby before the draw began. */
  lastArrival: number;
  /** Arrivals up to here are on the list, or were not present. */
  gatheredTo: number;
  /** How many visitors take part. */
  count: number;
  /** Their lots, 16 bytes for each arrival; zeros for those who do not take part. */
  present: Buffer;
  /** The lots without the gaps, in ascending order; written while the draw is computed. */
  entries: Buffer;
  listHash: string;
  drawnAt: number;
}

export function createDraw({ seed, lotKey }: DrawSecrets): Draw {
  const nothing = Buffer.alloc(0);
  return {
    seed,
    lotKey,
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

/** The numbers that the draw assigns: none before it has begun. */
export type LotRange = Pick<Draw, 'phase' | 'firstNumber' | 'size'>;

export function isDrawnNumber({ firstNumber, size }: LotRange, number: number): boolean {
  return number >= firstNumber && number < firstNumber + size;
}

/**
 * Until the draw is done, a visitor with a drawn number still gets the lobby response: positions among half of the
 * numbers mean nothing.
 */
export function isUntold(draw: LotRange | undefined, number: number): boolean {
  return draw?.phase === 'drawing' && isDrawnNumber(draw, number);
}

/** Whether the arrival at `index` has no lot. `lots`: 16 bytes per arrival. */
export function isHole(lots: Buffer, index: number): boolean {
  const end = (index + 1) * LOT_BYTES;
  for (let at = index * LOT_BYTES; at < end; at += 1) if (lots[at] !== 0) return false;
  return true;
}

/** The lots of the visitors who take part, concatenated. */
export function withoutHoles(lots: Buffer): Buffer {
  const found = Buffer.alloc(lots.length);
  let length = 0;
  for (let index = 0; index < lots.length / LOT_BYTES; index += 1) {
    if (isHole(lots, index)) continue;
    length += lots.copy(found, length, index * LOT_BYTES, (index + 1) * LOT_BYTES);
  }
  return found.subarray(0, length);
}

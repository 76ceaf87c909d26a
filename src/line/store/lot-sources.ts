/**
 * The port to where the lots of a draw come from: for each address, how many guests from there took a place in the lobby. It shows
 * operators, before the draw, whether one address made many identities. Addresses are hashed; their number is bounded, and those
 * with the fewest lots are dropped first.
 *
 * A statistic: counts may lag by a second, and a crash may lose that second. Deliberately absent: which visitor came from where.
 */
export interface LotSources {
  /** Adds lots to their addresses. */
  add(eventId: string, sources: readonly LotSource[]): Promise<void>;
  find(eventId: string): Promise<LotSourceReport>;
  /** Forgets the sources of a room that was cleared. */
  forget(eventId: string): Promise<void>;
}

export interface LotSource {
  /** A hash of the address. */
  address: string;
  lots: number;
  /** When the first and the last of them joined, in ms. */
  from: number;
  to: number;
}

export interface LotSourceReport {
  /** Lots of guests, over all addresses. */
  lots: number;
  addresses: number;
  /** Addresses with one lot. */
  singles: number;
  /** The addresses with the most lots, largest first. */
  largest: LotSource[];
}

/** How many addresses of a draw are kept. */
export const MOST_ADDRESSES = 20_000;
/** How many addresses a report names. */
export const MOST_REPORTED = 20;

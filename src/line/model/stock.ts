/**
 * What is left to sell behind a line, as the shop last said. A room that follows the stock lets in no more people than
 * could still be served: one for each thing that is neither sold nor held, and those inside who hold something.
 */
export interface StockReport {
  /** Neither sold nor held. */
  left: number;
  held: number;
  /** Who holds something. */
  holders: readonly string[];
  /** When it was so, by the shop's own clock, in microseconds: an older report changes nothing. */
  asOf: number;
}

export interface Stock {
  /** How many may be inside for it. */
  slots: number;
  /** Nothing is left and nothing is held: nothing will be, unless somebody gives theirs back. */
  isSoldOut: boolean;
  asOf: number;
}

/** What those who wait are told by. */
export type StockView = Pick<Stock, 'slots' | 'isSoldOut'>;

export function toStock({ left, held, holders, asOf }: StockReport, isInside: (visitor: string) => boolean): Stock {
  return { slots: left + holders.filter(isInside).length, isSoldOut: left + held === 0, asOf };
}

/** How many may be inside: nobody, where the stock is to be followed and is not known yet. */
export function limitOf(
  { maxActive, followStock }: { maxActive: number; followStock: boolean },
  stock: StockView | undefined,
): number {
  return followStock ? Math.min(maxActive, stock?.slots ?? 0) : maxActive;
}

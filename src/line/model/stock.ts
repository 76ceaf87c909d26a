/**
 * The stock behind a line, as last reported by the shop. A room that follows the stock admits no more visitors than
 * can still be served: one per item that is neither sold nor held, plus those inside who hold something.
 */
export interface StockReport {
  /** Neither sold nor held. */
  left: number;
  held: number;
  /** Visitors who hold something. */
  holders: readonly string[];
  /** Time of the report by the shop's clock, in microseconds: an older report is ignored. */
  asOf: number;
}

export interface Stock {
  /** How many visitors may be inside. */
  slots: number;
  /** Nothing is left or held: only a cancellation can bring stock back. */
  isSoldOut: boolean;
  asOf: number;
}

/** The part that waiting times depend on. */
export type StockView = Pick<Stock, 'slots' | 'isSoldOut'>;

export function toStock({ left, held, holders, asOf }: StockReport, isInside: (visitor: string) => boolean): Stock {
  return { slots: left + holders.filter(isInside).length, isSoldOut: left + held === 0, asOf };
}

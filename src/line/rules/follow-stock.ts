import type { Line } from '../model/line.ts';
import { type StockReport, toStock } from '../model/stock.ts';
import { isWaiter } from './sessions.ts';

/** Stores a stock report of the shop. A repeated or late report changes nothing. */
export function noteStock(line: Line, report: StockReport): void {
  const { stock: before } = line;
  if (before !== undefined && report.asOf < before.asOf) return;
  const stock = toStock(report, (visitor) => isInside(line, visitor));
  line.stock = stock;
  if (before?.slots === stock.slots && before.isSoldOut === stock.isSoldOut) return;
  line.onChange({ kind: 'stock', stock });
}

function isInside(line: Line, visitor: string): boolean {
  const place = line.places.get(visitor);
  return place !== undefined && !isWaiter(place);
}

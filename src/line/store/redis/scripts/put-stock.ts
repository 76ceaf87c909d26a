/** Typed twin of put-stock.lua. */

import { loadScript } from '../../../../platform/redis/scripts.ts';
import type { StockReport } from '../../../model/stock.ts';
import type { ScriptCaller } from './script-caller.ts';

const script = loadScript(new URL('put-stock.lua', import.meta.url));

export async function putStock(caller: ScriptCaller, eventId: string, report: StockReport): Promise<void> {
  const { left, held, asOf, holders } = report;
  await caller.call({ script, eventId, args: [left, held, asOf, ...holders] });
}

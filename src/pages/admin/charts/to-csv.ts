/** The history of a room as CSV: one row per point, times in ISO 8601. */
import { columns } from '../api/history.ts';
import type { History } from '../api/wire.ts';

export function toCsv(history: History): string {
  const names = columns.filter((name) => name !== 'at');
  const rows = history.at.map((at, i) =>
    [new Date(at).toISOString(), ...names.map((name) => history[name][i] ?? '')].join(','),
  );
  return `${[['time', ...names].join(','), ...rows].join('\r\n')}\r\n`;
}

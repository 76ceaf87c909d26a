/**
 * Parses the arrivals of a recorded sale from CSV rows `time,visitors`: how many arrived between that time and the time
 * of the next row. Times are seconds or ISO 8601 instants; the first is the start of the sale. A header row is allowed.
 */
export interface ArrivalStep {
  fromMs: number;
  untilMs: number;
  visitors: number;
}

export type CurveResult = { ok: true; steps: ArrivalStep[] } | { ok: false; problem: string };

const ROW = /^\s*"?([^",;]+)"?\s*[,;]\s*"?([^",;]*)"?\s*$/;
const DEFAULT_GAP_MS = 60_000;
const LONGEST_MS = 7 * 86_400_000;

export function parseArrivalCurve(text: string): CurveResult {
  const rows: { atMs: number; visitors: number }[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, time = '', count = ''] = ROW.exec(line) ?? [];
    const row = { atMs: parseTime(time.trim()), visitors: parseCount(count.trim()) };
    const isHeading = rows.length === 0 && Number.isNaN(row.atMs) && Number.isNaN(row.visitors) && index === 0;
    if (isHeading && time !== '') continue;
    const problem = problemOf(row, rows.at(-1));
    if (problem !== undefined) return { ok: false, problem: `line ${index + 1} ("${line.slice(0, 60)}"): ${problem}` };
    rows.push(row);
  }
  if (rows.length === 0) return { ok: false, problem: 'the file has no rows; expected rows time,visitors' };
  const steps = toSteps(rows);
  if (steps.at(-1)!.untilMs > LONGEST_MS) return { ok: false, problem: 'the arrivals span more than seven days' };
  if (steps.every(({ visitors }) => visitors === 0)) return { ok: false, problem: 'the file has no visitors' };
  return { ok: true, steps };
}

function problemOf(row: { atMs: number; visitors: number }, before: { atMs: number } | undefined): string | undefined {
  if (Number.isNaN(row.atMs)) return 'the time must be seconds (90) or an ISO 8601 instant (2027-03-01T10:00:00+09:00)';
  if (Number.isNaN(row.visitors)) return 'visitors must be a whole number, 0 or more';
  if (before !== undefined && row.atMs <= before.atMs) return 'the time must be later than in the previous row';
  return undefined;
}

function parseTime(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

function parseCount(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** The last row is assumed to last as long as the one before it. */
function toSteps(rows: readonly { atMs: number; visitors: number }[]): ArrivalStep[] {
  const beginning = rows[0]!.atMs;
  const lastGap = rows.length > 1 ? rows.at(-1)!.atMs - rows.at(-2)!.atMs : DEFAULT_GAP_MS;
  return rows.map(({ atMs, visitors }, i) => ({
    fromMs: atMs - beginning,
    untilMs: (rows[i + 1]?.atMs ?? atMs + lastGap) - beginning,
    visitors,
  }));
}

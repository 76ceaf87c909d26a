/** Who gives the numbers: the line itself, or tier 1 before it, whose numbers follow on those of the line. */
import type { Line } from '../model/line.ts';

/** From now on nobody gets a number here; those of tier 1 begin behind the one returned. */
export function handOver(line: Line, activation: string): number {
  line.numberedBy = activation;
  line.onChange({ kind: 'numbered', by: activation, nextNumber: line.nextNumber });
  return line.nextNumber - 1;
}

/** The line gives numbers again, behind `last`, unless it was handed over anew since. */
export function takeBack(line: Line, activation: string, last: number): void {
  if (line.numberedBy === activation) line.numberedBy = undefined;
  line.nextNumber = Math.max(line.nextNumber, last + 1);
  line.onChange({ kind: 'numbered', by: line.numberedBy, nextNumber: line.nextNumber });
}

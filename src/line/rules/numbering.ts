/** Who assigns the numbers: the line itself or tier 1. Both continue the same sequence. */
import type { Line } from '../model/line.ts';

/** Stops assigning numbers here. Tier 1 continues after the number returned. */
export function handOver(line: Line, activation: string): number {
  line.numberedBy = activation;
  line.onChange({ kind: 'numbered', by: activation, nextNumber: line.nextNumber });
  return line.nextNumber - 1;
}

/** The line assigns numbers again, after `last`, unless another activation has taken over since. */
export function takeBack(line: Line, activation: string, last: number): void {
  if (line.numberedBy === activation) line.numberedBy = undefined;
  line.nextNumber = Math.max(line.nextNumber, last + 1);
  line.onChange({ kind: 'numbered', by: line.numberedBy, nextNumber: line.nextNumber });
}

/** Who assigns the numbers: the line itself or tier 1. Both continue the same sequence. */
import type { Line } from '../model/line.ts';

/** Calls are late by seconds, and operators do not switch that often. */
const ENDED_REMEMBERED = 10;

/**
 * Stops assigning numbers here. Tier 1 continues after the number returned. An activation that has ended takes over no more:
 * a call that was under way for long would leave the line without anyone who assigns numbers.
 */
export function handOver(line: Line, activation: string): number {
  if (!line.endedActivations.includes(activation)) line.numberedBy = activation;
  line.onChange({ kind: 'numbered', by: line.numberedBy, nextNumber: line.nextNumber });
  return line.nextNumber - 1;
}

/** The line assigns numbers again, after `last`, unless another activation has taken over since. */
export function takeBack(line: Line, activation: string, last: number): void {
  if (line.numberedBy === activation) line.numberedBy = undefined;
  const others = line.endedActivations.filter((ended) => ended !== activation);
  line.endedActivations = [activation, ...others].slice(0, ENDED_REMEMBERED);
  line.nextNumber = Math.max(line.nextNumber, last + 1);
  line.onChange({ kind: 'numbered', by: line.numberedBy, nextNumber: line.nextNumber });
}

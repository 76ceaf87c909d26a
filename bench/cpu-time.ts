/** The CPU time that a program has used, with its children. Linux only; 0 elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which is 100 on all common architectures. */
const TICKS_PER_SECOND = 100;

export function cpuMicros(pid: number): number {
  try {
    return (treeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / TICKS_PER_SECOND) * 1_000_000;
  } catch {
    return 0;
  }
}

function treeOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may have spaces. utime and stime are the fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

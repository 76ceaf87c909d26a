/** What crowds of several sizes need, side by side, as docs/explanation/scale.md shows it. */
import { type CrowdSize, type Need, toNeed } from '../simulate/scale.ts';

/** Those that docs/explanation/scale.md is about. */
export const crowds: readonly CrowdSize[] = [
  { visitors: 1_000_000, events: 1, seats: 20_000 },
  { visitors: 10_000_000, events: 1, seats: 60_000 },
  { visitors: 100_000_000, events: 20, seats: 1_000_000 },
];

type Row = readonly [name: string, value: (need: Need, crowd: CrowdSize) => string];

const count = (value: number) => Math.round(value).toLocaleString('en');
const rounded = (value: number) => Number(value.toPrecision(2)).toLocaleString('en');
const percent = (share: number) => `${Math.round(share * 100)} %`;

const rows: readonly Row[] = [
  ['lines', (_need, { events }) => count(events)],
  ['seats sold within the hour', (_need, { seats }) => count(seats)],
  ['joins a second, at the opening', ({ joinsPerSecond }) => rounded(joinsPerSecond)],
  ['polls a second, all waiting', ({ pollsPerSecond }) => rounded(pollsPerSecond)],
  ['processes with the role `line`, a core each', ({ processes }) => count(processes)],
  ['Redis masters', ({ redisMasters }) => count(redisMasters)],
  ['of one master, for one line at the opening', ({ redisShareOfOneLine }) => percent(redisShareOfOneLine)],
  ['Redis memory, before replicas', ({ redisGb }) => `${rounded(redisGb)} GB`],
  ['Redis commands a second, at most', ({ redisCommandsPerSecond }) => rounded(redisCommandsPerSecond)],
  ['bandwidth out, at the opening', ({ gbitPerSecond }) => `${rounded(gbitPerSecond)} Gbit/s`],
  ['sent in all', ({ gbOut }) => `${rounded(gbOut)} GB`],
  ['holds a second in PostgreSQL', ({ holdsPerSecond }) => rounded(holdsPerSecond)],
  ['PostgreSQL servers', ({ databases }) => count(databases)],
  ['cost of the sale', ({ dollars }) => `${rounded(dollars)} US dollars`],
];

export function scaleTable(): { head: string[]; rows: string[][] } {
  const needs = crowds.map((crowd) => ({ crowd, need: toNeed(crowd) }));
  return {
    head: ['visitors', ...crowds.map(({ visitors }) => count(visitors))],
    rows: rows.map(([name, value]) => [name, ...needs.map(({ need, crowd }) => value(need, crowd))]),
  };
}

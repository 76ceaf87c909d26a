/** The table of docs/explanation/scale.md: resources for several numbers of visitors. */
import { type CrowdSize, type Need, toNeed } from '../simulate/scale.ts';

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
  ['seats sold in one hour', (_need, { seats }) => count(seats)],
  ['joins per second at the opening', ({ joinsPerSecond }) => rounded(joinsPerSecond)],
  ['polls per second with everyone waiting', ({ pollsPerSecond }) => rounded(pollsPerSecond)],
  ['processes with the role `line` (one core each)', ({ processes }) => count(processes)],
  ['Redis masters', ({ redisMasters }) => count(redisMasters)],
  ['load of one line on its master at the opening', ({ redisShareOfOneLine }) => percent(redisShareOfOneLine)],
  ['Redis memory without replicas', ({ redisGb }) => `${rounded(redisGb)} GB`],
  ['Redis commands per second, peak', ({ redisCommandsPerSecond }) => rounded(redisCommandsPerSecond)],
  ['outgoing bandwidth at the opening', ({ gbitPerSecond }) => `${rounded(gbitPerSecond)} Gbit/s`],
  ['total traffic sent', ({ gbOut }) => `${rounded(gbOut)} GB`],
  ['holds per second in PostgreSQL', ({ holdsPerSecond }) => rounded(holdsPerSecond)],
  ['PostgreSQL servers', ({ databases }) => count(databases)],
  ['cost of the sale', ({ dollars }) => `${rounded(dollars)} USD`],
];

export function scaleTable(): { head: string[]; rows: string[][] } {
  const needs = crowds.map((crowd) => ({ crowd, need: toNeed(crowd) }));
  return {
    head: ['visitors', ...crowds.map(({ visitors }) => count(visitors))],
    rows: rows.map(([name, value]) => [name, ...needs.map(({ need, crowd }) => value(need, crowd))]),
  };
}

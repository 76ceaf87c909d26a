/**
 * Estimates the resources for a number of visitors from the measured cost of one. Generates the table of docs/explanation/scale.md,
 * which also says where the figures below come from.
 */
import { nextPollSeconds } from '../line/estimate/estimate.ts';

/** From docs/explanation/benchmarks.md: a line of a million in Redis; server, Redis and load generator on two cores. */
export const measured = {
  /** One process, over HTTP. */
  joinsPerSecond: 15_900,
  pollsPerSecond: 30_700,
  /** One Redis server, through the store without HTTP. */
  redisJoinsPerSecond: 102_000,
  redisCommandsPerPoll: 72 / 10_000,
  redisBytesPerWaiter: 159,
  /** Including headers; the page with its script, compressed. */
  bytesPerPage: 12_000,
  bytesPerJoin: 810,
  bytesPerPoll: 530,
  holdsPerSecond: 2_775,
} as const;

/** Assumptions about the sale. */
export const assumed = {
  /** At the opening, this share of visitors arrives within this time. */
  firstShare: 0.1,
  firstSeconds: 15,
  saleSeconds: 3_600,
  /** Hold requests per seat sold. */
  holdsPerSeat: 3,
  /** Maximum utilisation of each component. */
  load: 0.5,
  /** Redis may need twice the memory while it rewrites its append-only file. */
  redisMemoryFactor: 2,
  /** A master and one replica. */
  redisCopies: 2,
  /** Includes setup before the sale and teardown after it. */
  rentedHours: 4,
  /** US dollars: rounded prices of large cloud providers. */
  dollarsPerCoreHour: 0.05,
  dollarsPerRedisGbHour: 0.02,
  dollarsPerDatabaseHour: 0.4,
  dollarsPerGbOut: 0.09,
} as const;

export interface CrowdSize {
  visitors: number;
  /** Number of lines, with visitors spread evenly. */
  events: number;
  seats: number;
}

export interface Need {
  joinsPerSecond: number;
  pollsPerSecond: number;
  /** With the role line, one core each. */
  processes: number;
  redisMasters: number;
  /** Peak load of one line on its master. */
  redisShareOfOneLine: number;
  redisGb: number;
  redisCommandsPerSecond: number;
  gbitPerSecond: number;
  gbOut: number;
  holdsPerSecond: number;
  /** PostgreSQL servers, one per deployment. */
  databases: number;
  dollars: number;
}

export function toNeed({ visitors, events, seats }: CrowdSize): Need {
  const joinsPerSecond = (visitors * assumed.firstShare) / assumed.firstSeconds;
  const pollsPerSecond = events * pollsOfLine(visitors / events);
  const busyProcesses = joinsPerSecond / measured.joinsPerSecond + pollsPerSecond / measured.pollsPerSecond;
  const processes = Math.max(2, Math.ceil(busyProcesses / assumed.load));
  // All keys of a line are in one slot, so a line uses one master.
  const redisMasters = Math.min(events, Math.ceil(joinsPerSecond / measured.redisJoinsPerSecond / assumed.load));
  const redisGb = (visitors * measured.redisBytesPerWaiter * assumed.redisMemoryFactor) / 1e9;
  const arriving = measured.bytesPerPage + measured.bytesPerJoin;
  const bytesPerSecond = joinsPerSecond * arriving + pollsPerSecond * measured.bytesPerPoll;
  const gbOut = (visitors * arriving + pollsPerSecond * assumed.saleSeconds * measured.bytesPerPoll) / 1e9;
  const holdsPerSecond = (seats * assumed.holdsPerSeat) / assumed.saleSeconds;
  const databases = Math.ceil(holdsPerSecond / measured.holdsPerSecond / assumed.load);
  return {
    joinsPerSecond,
    pollsPerSecond,
    processes,
    redisMasters,
    redisShareOfOneLine: joinsPerSecond / events / measured.redisJoinsPerSecond,
    redisGb,
    redisCommandsPerSecond: joinsPerSecond + pollsPerSecond * measured.redisCommandsPerPoll + events,
    gbitPerSecond: (bytesPerSecond * 8) / 1e9,
    gbOut,
    holdsPerSecond,
    databases,
    dollars: toDollars({ processes, redisGb, gbOut, databases }),
  };
}

/** Polls per second with everyone waiting, each at the interval of their position. */
export function pollsOfLine(waiting: number): number {
  let polls = 0;
  for (let from = 0; from < waiting; ) {
    const seconds = nextPollSeconds(from + 1);
    const until = Math.min(waiting, endOfStep(from, seconds, waiting));
    polls += (until - from) / seconds;
    from = until;
  }
  return polls;
}

/** The last position with the same polling interval as position `from` + 1. */
function endOfStep(from: number, seconds: number, waiting: number): number {
  let [low, high] = [from + 1, Math.ceil(waiting)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (nextPollSeconds(middle) === seconds) low = middle;
    else high = middle - 1;
  }
  return low;
}

type Rented = Pick<Need, 'processes' | 'redisGb' | 'gbOut' | 'databases'>;

function toDollars({ processes, redisGb, gbOut, databases }: Rented): number {
  const perHour =
    processes * assumed.dollarsPerCoreHour +
    redisGb * assumed.redisCopies * assumed.dollarsPerRedisGbHour +
    databases * assumed.dollarsPerDatabaseHour;
  return perHour * assumed.rentedHours + gbOut * assumed.dollarsPerGbOut;
}

/**
 * What a crowd of some size needs, from what one visitor was measured to cost. docs/explanation/scale.md is made from it; where a
 * figure below comes from is said there.
 */
import { nextPollSeconds } from '../line/estimate/poll-schedule.ts';

/** docs/explanation/benchmarks.md: a line of a million in Redis, with server, Redis and load on two cores. */
export const measured = {
  /** Of one process over HTTP. */
  joinsPerSecond: 15_900,
  pollsPerSecond: 30_700,
  /** Of one Redis, through the store alone. */
  redisJoinsPerSecond: 102_000,
  redisCommandsPerPoll: 72 / 10_000,
  redisBytesPerWaiter: 159,
  /** Headers included; the page with its script, compressed. */
  bytesPerPage: 12_000,
  bytesPerJoin: 810,
  bytesPerPoll: 530,
  holdsPerSecond: 2_775,
} as const;

/** What a sale is taken to be like. */
export const assumed = {
  /** At the opening so many of them come within so long. */
  firstShare: 0.1,
  firstSeconds: 15,
  saleSeconds: 3_600,
  /** Requests to hold seats for each that is sold. */
  holdsPerSeat: 3,
  /** No part is to have more to do than this. */
  load: 0.5,
  /** While Redis writes its file anew, it may need as much again. */
  redisMemoryFactor: 2,
  /** A master and its replica. */
  redisCopies: 2,
  /** Set up well before and taken down well after. */
  rentedHours: 4,
  /** US dollars: round figures of the order of what large providers ask. */
  dollarsPerCoreHour: 0.05,
  dollarsPerRedisGbHour: 0.02,
  dollarsPerDatabaseHour: 0.4,
  dollarsPerGbOut: 0.09,
} as const;

export interface CrowdSize {
  visitors: number;
  /** Lines that they spread over evenly. */
  events: number;
  seats: number;
}

export interface Need {
  joinsPerSecond: number;
  pollsPerSecond: number;
  /** Of the role line, a core each. */
  processes: number;
  redisMasters: number;
  /** How much of a master the busiest line takes, at its worst. */
  redisShareOfOneLine: number;
  redisGb: number;
  redisCommandsPerSecond: number;
  gbitPerSecond: number;
  gbOut: number;
  holdsPerSecond: number;
  /** PostgreSQL servers, for a deployment each. */
  databases: number;
  dollars: number;
}

export function toNeed({ visitors, events, seats }: CrowdSize): Need {
  const joinsPerSecond = (visitors * assumed.firstShare) / assumed.firstSeconds;
  const pollsPerSecond = events * pollsOfLine(visitors / events);
  const busyProcesses = joinsPerSecond / measured.joinsPerSecond + pollsPerSecond / measured.pollsPerSecond;
  const processes = Math.max(2, Math.ceil(busyProcesses / assumed.load));
  // A line is in one slot, and so on one master, however many there are.
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

/** All of them wait at once, and each asks as often as its place in line says. */
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

/** The last place from which one asks as often as from the place after `from`. */
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

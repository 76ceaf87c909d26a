/** The command line of `npm run soak`. */
import { parseArgs } from 'node:util';

export interface SoakOptions {
  minutes: number;
  faults: number;
  seed: number;
  /** Kinds of faults whose name contains one of these words; empty: all. */
  only: readonly string[];
  store: 'redis' | 'cluster' | 'cluster-wait';
  /** Redis only; without PostgreSQL and Kafka. */
  lineOnly: boolean;
  /** Without Kafka: the log of records is in PostgreSQL. */
  noKafka: boolean;
  /** Records RSS and heap of every process, and makes no faults unless asked for. */
  memory: boolean;
  visitors: number;
  /** The history of an earlier run to judge again, instead of a run. */
  judge: string | undefined;
  /** Folder of history and verdict. */
  folder: string;
}

export const USAGE = `npm run soak -- [options]

  --minutes n     how long the crowd is there (5)
  --faults n      how many faults at most, spread over the time (15 per minute; with --memory none)
  --seed n        the choices of crowd, operators and faults (random, printed)
  --only words    only kinds of faults whose name contains one of these words, separated by commas
  --store name    redis, cluster, or cluster-wait: a cluster with REDIS_WAIT_REPLICAS=1 (redis)
  --line-only     without PostgreSQL and Kafka
  --no-kafka      without Kafka: the log of records is in PostgreSQL
  --memory        records RSS and heap of every process, and reports their slope
  --visitors n    how many visitors are there at once (40)
  --judge path    judges the history of an earlier run again, and runs nothing
  --folder path   where history and verdict are written (a temporary folder)
`;

export class UsageError extends Error {}

export function readOptions(words: readonly string[], defaultFolder: string): SoakOptions {
  const { values } = parse(words);
  const minutes = toNumber('minutes', values.minutes, 5, 0.2, 1_000);
  const memory = values.memory === true;
  const store = values.store ?? 'redis';
  if (store !== 'redis' && store !== 'cluster' && store !== 'cluster-wait')
    throw new UsageError(`--store is ${store}; expected: redis, cluster or cluster-wait`);
  return {
    minutes,
    faults: toNumber('faults', values.faults, memory ? 0 : Math.ceil(minutes * 15), 0, 100_000),
    seed: toNumber('seed', values.seed, Math.floor(Math.random() * 2 ** 31), 0, 2 ** 32),
    only: values.only === undefined ? [] : values.only.split(',').filter((word) => word !== ''),
    store,
    lineOnly: values['line-only'] === true,
    noKafka: values['no-kafka'] === true,
    memory,
    visitors: toNumber('visitors', values.visitors, 40, 1, 1_000),
    judge: values.judge,
    folder: values.folder ?? defaultFolder,
  };
}

function parse(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        ...{
          minutes: text,
          faults: text,
          seed: text,
          only: text,
          store: text,
          visitors: text,
          folder: text,
          judge: text,
        },
        ...{ memory: flag, 'line-only': flag, 'no-kafka': flag },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function toNumber(name: string, text: string | undefined, otherwise: number, low: number, high: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isFinite(value) || value < low || value > high)
    throw new UsageError(`--${name} is ${text}; expected: a number from ${low} to ${high}`);
  return value;
}

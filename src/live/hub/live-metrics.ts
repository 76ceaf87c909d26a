/** Metrics of the streams. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ByeReason } from './frames.ts';

export interface LiveMetrics {
  countOpened(): void;
  countDropped(reason: ByeReason | 'gone', streams: number): void;
  countHints(admissions: number): void;
  observeBroadcast(seconds: number): void;
  /** Sets the source of the open-streams gauge, read at every scrape. */
  watchStreams(count: () => number): void;
}

export function createLiveMetrics(registry: Registry): LiveMetrics {
  const registers = [registry];
  let countStreams = () => 0;
  new Gauge({
    name: 'fairline_streams',
    help: 'Open streams',
    registers,
    collect() {
      this.set(countStreams());
    },
  });
  const opened = new Counter({ name: 'fairline_streams_opened_total', help: 'Streams opened', registers });
  const dropped = new Counter({
    name: 'fairline_streams_dropped_total',
    help: 'Streams closed by the server; slow: the client did not read fast enough; gone: the place ended',
    labelNames: ['reason'],
    registers,
  });
  const hints = new Counter({
    name: 'fairline_hints_total',
    help: 'Admission hints received for visitors with an open stream in this process',
    registers,
  });
  const broadcasts = new Histogram({
    name: 'fairline_broadcast_seconds',
    help: 'Time to write one round of updates to the streams of one event',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  return {
    countOpened: () => opened.inc(),
    countDropped: (reason, streams) => dropped.inc({ reason }, streams),
    countHints: (admissions) => hints.inc(admissions),
    observeBroadcast: (seconds) => broadcasts.observe(seconds),
    watchStreams(count) {
      countStreams = count;
    },
  };
}

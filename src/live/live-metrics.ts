/** What the stream door counts. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ByeReason } from './frames.ts';

export interface LiveMetrics {
  countOpened(): void;
  countDropped(reason: ByeReason | 'gone', streams: number): void;
  countHints(admissions: number): void;
  observeBroadcast(seconds: number): void;
  /** Where the number of open streams is read when it is asked for. */
  watchStreams(count: () => number): void;
}

export function createLiveMetrics(registry: Registry): LiveMetrics {
  const registers = [registry];
  let countStreams = () => 0;
  new Gauge({
    name: 'fairline_streams',
    help: 'Streams open now',
    registers,
    collect() {
      this.set(countStreams());
    },
  });
  const opened = new Counter({ name: 'fairline_streams_opened_total', help: 'Streams opened', registers });
  const dropped = new Counter({
    name: 'fairline_streams_dropped_total',
    help: 'Streams closed from this side; slow: not read fast enough; gone: the place was no more',
    labelNames: ['reason'],
    registers,
  });
  const hints = new Counter({
    name: 'fairline_hints_total',
    help: 'Admissions of which news came while the visitor had a stream open here',
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

/** Metrics of notices. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { NoticeOutcome, NoticeQueue } from './notice-queue.ts';

export interface NoticeMetrics {
  countOutcome(sink: string, outcome: NoticeOutcome, count: number): void;
}

export function createNoticeMetrics(
  registry: Registry,
  listQueues: () => ReadonlyMap<string, NoticeQueue>,
): NoticeMetrics {
  const notices = new Counter({
    name: 'fairline_notices_total',
    help: 'Notices of admissions, by sink and outcome; dropped: the queue was full; failed: not delivered',
    labelNames: ['sink', 'outcome'],
    registers: [registry],
  });
  new Gauge({
    name: 'fairline_notices_waiting',
    help: 'Notices waiting to be sent',
    labelNames: ['sink'],
    registers: [registry],
    collect() {
      for (const [sink, queue] of listQueues()) this.set({ sink }, queue.size);
    },
  });
  return {
    countOutcome(sink, outcome, count) {
      if (count > 0) notices.inc({ sink, outcome }, count);
    },
  };
}

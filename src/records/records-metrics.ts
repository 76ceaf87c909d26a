/** What is counted of records. Groups and topics are few and fixed. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { HandledOutcome } from './consumer.ts';
import type { Outbox } from './outbox.ts';
import type { RecordLog } from './record-log.ts';

export interface RecordsMetrics {
  countRelayed(count: number): void;
  countHandled(group: string, outcome: HandledOutcome): void;
}

export interface RecordsMetricsOptions {
  registry: Registry;
  outbox: Pick<Outbox, 'measure'>;
  log: Pick<RecordLog, 'measureLag'>;
  /** What each group of this process reads. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** Whether it makes sense to measure: not before something has been opened anyway. */
  isOpen: () => boolean;
}

export function createRecordsMetrics(options: RecordsMetricsOptions): RecordsMetrics {
  const registers = [options.registry];
  const relayed = new Counter({
    name: 'fairline_records_relayed_total',
    help: 'Records carried from the outbox to the log',
    registers,
  });
  const handled = new Counter({
    name: 'fairline_records_handled_total',
    help: 'Records read, by group and outcome; buried: put aside in the dlq',
    labelNames: ['group', 'outcome'],
    registers,
  });
  registerOutboxGauges(options);
  registerLagGauge(options);
  return {
    countRelayed: (count) => relayed.inc(count),
    countHandled: (group, outcome) => handled.inc({ group, outcome }),
  };
}

function registerOutboxGauges({ registry, outbox, isOpen }: RecordsMetricsOptions): void {
  const measure = async () => (isOpen() ? outbox.measure().catch(() => undefined) : undefined);
  new Gauge({
    name: 'fairline_outbox_waiting',
    help: 'Records in the outbox',
    registers: [registry],
    async collect() {
      this.set((await measure())?.waiting ?? 0);
    },
  });
  new Gauge({
    name: 'fairline_outbox_age_seconds',
    help: 'How long the first record in the outbox has waited to be carried to the log',
    registers: [registry],
    async collect() {
      this.set(((await measure())?.oldestMs ?? 0) / 1000);
    },
  });
}

function registerLagGauge({ registry, log, groups, isOpen }: RecordsMetricsOptions): void {
  new Gauge({
    name: 'fairline_records_lag',
    help: 'Records that a group of this process has yet to read',
    labelNames: ['group', 'topic'],
    registers: [registry],
    async collect() {
      if (!isOpen()) return;
      for (const [group, topics] of groups) {
        const lag = await log.measureLag(group, topics).catch(() => new Map<string, number>());
        for (const [topic, count] of lag) this.set({ group, topic }, count);
      }
    },
  });
}

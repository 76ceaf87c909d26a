/** Metrics of records. The labels have few values: groups and topics are fixed. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { createPatientReader } from '../platform/concurrency/patient-reader.ts';
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
  /** The topics that this process reads, by group. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** Whether this process publishes or reads records. One that does neither should not query the database on every scrape. */
  isInvolved: () => boolean;
}

export function createRecordsMetrics(options: RecordsMetricsOptions): RecordsMetrics {
  const registers = [options.registry];
  const relayed = new Counter({
    name: 'fairline_records_relayed_total',
    help: 'Records published from the outbox to the log',
    registers,
  });
  const handled = new Counter({
    name: 'fairline_records_handled_total',
    help: 'Records read, by group and outcome; buried: moved to the dead letter topic',
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

/** A store that is slow or hangs must not hold up the other metrics of the process. */
const LONGEST_MS = 500;

/** No value while the database is unavailable: zero would be wrong. */
function registerOutboxGauges({ registry, outbox, isInvolved }: RecordsMetricsOptions): void {
  const read = createPatientReader(() => outbox.measure(), LONGEST_MS);
  const measure = async () => (isInvolved() ? read() : undefined);
  new Gauge({
    name: 'fairline_outbox_waiting',
    help: 'Records in the outbox',
    registers: [registry],
    async collect() {
      const found = await measure();
      if (found === undefined) this.remove();
      else this.set(found.waiting);
    },
  });
  new Gauge({
    name: 'fairline_outbox_age_seconds',
    help: 'Age of the oldest record in the outbox',
    registers: [registry],
    async collect() {
      const found = await measure();
      if (found === undefined) this.remove();
      else this.set(found.oldestMs / 1000);
    },
  });
}

function registerLagGauge({ registry, log, groups }: RecordsMetricsOptions): void {
  const measureAll = async () => {
    const lags = [...groups].map(async ([group, topics]) => ({ group, lag: await log.measureLag(group, topics) }));
    return (await Promise.allSettled(lags)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  };
  const read = createPatientReader(measureAll, LONGEST_MS);
  new Gauge({
    name: 'fairline_records_lag',
    help: 'Unread records of the consumer groups of this process',
    labelNames: ['group', 'topic'],
    registers: [registry],
    async collect() {
      const found = await read();
      this.reset();
      for (const { group, lag } of found ?? []) {
        for (const [topic, count] of lag) this.set({ group, topic }, count);
      }
    },
  });
}

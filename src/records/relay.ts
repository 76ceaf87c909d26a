/**
 * The role `relay`: publishes records from the outbox to the log. A record is removed from the outbox only after it is in the
 * log, so the records of a relay that dies in between are published again. Every relay publishes a partition from its first
 * record on. Two relays can have the same partition after the lease of one expired; even then, the first copies of the records
 * arrive in order.
 */
import type { PassOutcome } from '../platform/concurrency/loop.ts';
import type { Outbox } from './outbox.ts';
import type { Message, RecordLog } from './record-log.ts';
import type { TraceMessage } from './trace-message.ts';

export interface RelayOptions {
  outbox: Pick<Outbox, 'takePartition'>;
  log: Pick<RecordLog, 'publish'>;
  onRelayed?: (count: number) => void;
  /** Changes the format of a message; undefined: messages are published as they are in the outbox. */
  format?: ((message: Message) => Message) | undefined;
  /** undefined: tracing is off; messages keep their headers. */
  traceMessage?: TraceMessage | undefined;
  /** How often the lease of the partition is prolonged. */
  keepMs?: number;
}

const KEEP_MS = 1_000;

export async function runRelayOnce(options: RelayOptions): Promise<PassOutcome> {
  const { outbox, log, onRelayed, format, traceMessage } = options;
  const partition = await outbox.takePartition();
  if (partition === undefined) return 'idle';
  // A log that is away takes its time to say so, longer than the lease.
  const keeping = setInterval(() => partition.keep().catch(() => {}), options.keepMs ?? KEEP_MS);
  try {
    const messages = format === undefined ? partition.waiting : partition.waiting.map(format);
    if (traceMessage === undefined) await log.publish(messages);
    else await publishTraced(log, messages, traceMessage);
    await partition.remove(partition.waiting);
    onRelayed?.(partition.waiting.length);
  } finally {
    clearInterval(keeping);
    await partition.release();
  }
  return 'again';
}

/** Each message carries the headers of its own span, so that its consumer continues that trace. */
async function publishTraced(log: RelayOptions['log'], messages: readonly Message[], traceMessage: TraceMessage) {
  const traces = messages.map((message) => ({ message, trace: traceMessage(message) }));
  const end = (error?: unknown) => {
    for (const { trace } of traces) trace?.end(error);
  };
  try {
    await log.publish(traces.map(({ message, trace }) => (trace ? { ...message, headers: trace.headers } : message)));
    end();
  } catch (error) {
    end(error);
    throw error;
  }
}

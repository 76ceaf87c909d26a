/**
 * The role that carries records from the outbox to the log. A record leaves the outbox only when it is in the log, so a
 * relay that dies between the two leaves it to be carried again. Every relay carries a lane from its first record on,
 * so that whoever is first to carry a record has carried all before it: even two relays on one lane, after one was
 * taken for dead, keep the order of first arrivals.
 */
import type { Outbox } from './outbox.ts';
import type { Message, RecordLog } from './record-log.ts';
import type { TraceMessage } from './trace-message.ts';

export interface RelayOptions {
  outbox: Pick<Outbox, 'takeLane'>;
  log: Pick<RecordLog, 'publish'>;
  onRelayed?: (count: number) => void;
  /** undefined: no traces are made; messages go on with the headers that they have. */
  traceMessage?: TraceMessage | undefined;
}

export async function runRelayOnce({ outbox, log, onRelayed, traceMessage }: RelayOptions): Promise<'done' | 'again'> {
  const lane = await outbox.takeLane();
  if (lane === undefined) return 'done';
  try {
    if (traceMessage === undefined) await log.publish(lane.waiting);
    else await publishTraced(log, lane.waiting, traceMessage);
    await lane.remove(lane.waiting);
    onRelayed?.(lane.waiting.length);
  } finally {
    await lane.release();
  }
  return 'again';
}

/** Each message leaves with the headers of its span, so that whoever handles it goes on from there. */
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

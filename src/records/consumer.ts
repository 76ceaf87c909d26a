/**
 * Handles the messages of a consumer group. Each record takes effect once: its effect and its mark as processed are one
 * transaction. A batch shares a transaction, because a transaction costs as much as many effects (one record per transaction has
 * a twentieth of the throughput). If a batch fails, its halves are handled separately, until the failing record is alone. That
 * record is retried a few times with growing pauses and then moved to the dead letter topic with the reason, so it delays the
 * records behind it no longer. An unavailable database does not count as a failure of the record: the log delivers the same
 * messages again.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/database/database-errors.ts';
import type { MessageTrace } from '../platform/tracing/tracing.ts';
import { toDeadLetter } from './dead-letter.ts';
import type { Effects } from './effects.ts';
import type { Handling, InTraceOf } from './handling.ts';
import { readRecord } from './read-record.ts';
import type { FairlineRecord } from './record.ts';
import type { Message } from './record-log.ts';
import type { TraceMessage } from './trace-message.ts';

export interface ConsumerOptions {
  group: string;
  handling: Handling;
  effects: Effects;
  tries: number;
  /** The pause before the second try; it doubles with each further try. */
  retryMs: number;
  clock: Clock;
  log: Logger;
  onHandled?: (outcome: HandledOutcome) => void;
  /** undefined: tracing is off. */
  traceMessage?: TraceMessage | undefined;
  /** Aborted when the process stops; ends pauses. */
  stopping: AbortSignal;
}

export type HandledOutcome = 'handled' | 'repeated' | 'ignored' | 'buried';

/** A message that the group handles. */
interface Delivery {
  message: Message;
  record: FairlineRecord;
  trace: MessageTrace | undefined;
}

export function createConsumer(options: ConsumerOptions): (messages: readonly Message[]) => Promise<void> {
  const { group, handling, effects, tries, retryMs, clock, log, onHandled, traceMessage, stopping } = options;
  const count = (outcome: HandledOutcome) => onHandled?.(outcome);

  async function handle(messages: readonly Message[]): Promise<void> {
    const deliveries: Delivery[] = [];
    try {
      for (const message of messages) {
        const read = readRecord(message.value);
        const isOurs = read.outcome === 'record' && handling.handles(read.record.type);
        if (read.outcome === 'malformed') {
          await bury({ message, trace: traceMessage?.(message) }, new Error(read.reason), 0);
        } else if (isOurs) deliveries.push({ message, record: read.record, trace: traceMessage?.(message) });
        else count('ignored');
      }
      await handleTogether(deliveries);
    } catch (error) {
      endAll(deliveries, error);
      throw error;
    }
  }

  async function handleTogether(deliveries: readonly Delivery[]): Promise<void> {
    const [first] = deliveries;
    if (first === undefined) return;
    if (deliveries.length === 1) return handleAlone(first);
    try {
      await takeEffect(deliveries);
    } catch (error) {
      if (isNotItsFault(error)) throw error;
      const half = Math.ceil(deliveries.length / 2);
      await handleTogether(deliveries.slice(0, half));
      await handleTogether(deliveries.slice(half));
    }
  }

  async function handleAlone(delivery: Delivery): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await takeEffect([delivery]);
      } catch (error) {
        if (isNotItsFault(error)) throw error;
        if (tried >= tries) return bury(delivery, error as Error, tried);
        log.warn({ err: error, group, recordId: delivery.record.id }, 'record failed, retrying');
        await pause(retryMs * 2 ** (tried - 1), stopping);
      }
    }
  }

  async function takeEffect(deliveries: readonly Delivery[]): Promise<void> {
    const unique = new Map(deliveries.map((one) => [one.record.id, one]));
    const inTraceOf: InTraceOf = (record, work) => within(unique.get(record.id)?.trace, work);
    // A record without a trace must not become part of another record's trace.
    const shared = deliveries.every(({ trace }) => trace !== undefined) ? deliveries[0]?.trace : undefined;
    const firsts = await within(shared, () =>
      effects.once(group, [...unique.keys()], (tx, isFirst) => {
        const records = [...unique.values()].map(({ record }) => record).filter(({ id }) => isFirst(id));
        return handling.handle(tx, records, inTraceOf);
      }),
    );
    endAll(deliveries);
    for (let no = 0; no < deliveries.length; no += 1) count(no < firsts.size ? 'handled' : 'repeated');
  }

  async function bury(
    { message, trace }: Pick<Delivery, 'message' | 'trace'>,
    error: Error,
    tried: number,
  ): Promise<void> {
    const failedAt = new Date(clock.now()).toISOString();
    const reason = error.message;
    try {
      await within(trace, () => effects.bury(toDeadLetter(message, { group, reason, tries: tried, failedAt })));
    } finally {
      trace?.end(error);
    }
    log.error({ group, topic: message.topic, key: message.key, reason }, 'record moved to the dead letter topic');
    count('buried');
  }

  return handle;
}

function within<T>(trace: MessageTrace | undefined, work: () => T): T {
  return trace === undefined ? work() : trace.enter(work);
}

function endAll(deliveries: readonly Delivery[], error?: unknown): void {
  for (const { trace } of deliveries) trace?.end(error);
}

const STATEMENT_TIMEOUT = '57014';

function isNotItsFault(error: unknown): boolean {
  return isDatabaseAway(error) && (error as { code?: unknown }).code !== STATEMENT_TIMEOUT;
}

/** Rejects if the process stops meanwhile: the message was not handled, and the log delivers it again. */
function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error('stopped between two tries'));
    };
    const timer = setTimeout(() => {
      stopping.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (stopping.aborted) stop();
    else stopping.addEventListener('abort', stop, { once: true });
  });
}

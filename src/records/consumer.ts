/**
 * How a group handles messages: each record has its effect once, in one transaction with the note that it had. Messages
 * that come together share a transaction, because each costs as much as many effects (a record at a time: a twentieth of
 * the speed). If it fails, each half of them is tried by itself, and so on, until whatever fails is alone. A record that
 * fails alone is tried again a few times, with growing pauses, and then put aside with the reason, so that whatever is
 * behind it waits for no longer than that. What is not the record's fault, a database that is away, is not counted
 * against it: the log brings the same messages again until they are handled.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { isDatabaseAway } from '../platform/database/database-errors.ts';
import type { MessageTrace } from '../platform/tracing/tracing.ts';
import { toDeadLetter } from './dead-letter.ts';
import type { Effects } from './effects.ts';
import type { Handling, InTraceOf } from './handling.ts';
import { type FairlineRecord, readRecord } from './record.ts';
import type { Message } from './record-log.ts';
import type { TraceMessage } from './trace-message.ts';

export interface ConsumerOptions {
  group: string;
  handling: Handling;
  effects: Effects;
  tries: number;
  /** Before the second try; before each further one twice as long. */
  retryMs: number;
  clock: Clock;
  log: Logger;
  onHandled?: (outcome: HandledOutcome) => void;
  /** undefined: no traces are made. */
  traceMessage?: TraceMessage | undefined;
  /** Aborted when pauses are to end, because the process stops. */
  stopping: AbortSignal;
}

export type HandledOutcome = 'handled' | 'repeated' | 'ignored' | 'buried';

/** A message that says something to the group. */
interface Told {
  message: Message;
  record: FairlineRecord;
  trace: MessageTrace | undefined;
}

export function createConsumer(options: ConsumerOptions): (messages: readonly Message[]) => Promise<void> {
  const { group, handling, effects, tries, retryMs, clock, log, onHandled, traceMessage, stopping } = options;
  const tell = (outcome: HandledOutcome) => onHandled?.(outcome);

  async function handle(messages: readonly Message[]): Promise<void> {
    const told: Told[] = [];
    try {
      for (const message of messages) {
        const read = readRecord(message.value);
        const isOurs = read.outcome === 'record' && handling.handles(read.record.type);
        if (read.outcome === 'malformed') {
          await bury({ message, trace: traceMessage?.(message) }, new Error(read.reason), 0);
        } else if (isOurs) told.push({ message, record: read.record, trace: traceMessage?.(message) });
        else tell('ignored');
      }
      await handleTogether(told);
    } catch (error) {
      endAll(told, error);
      throw error;
    }
  }

  async function handleTogether(told: readonly Told[]): Promise<void> {
    const [first] = told;
    if (first === undefined) return;
    if (told.length === 1) return handleAlone(first);
    try {
      await takeEffect(told);
    } catch (error) {
      if (isNotItsFault(error)) throw error;
      const half = Math.ceil(told.length / 2);
      await handleTogether(told.slice(0, half));
      await handleTogether(told.slice(half));
    }
  }

  async function handleAlone(told: Told): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await takeEffect([told]);
      } catch (error) {
        if (isNotItsFault(error)) throw error;
        if (tried >= tries) return bury(told, error as Error, tried);
        log.warn({ err: error, group, recordId: told.record.id }, 'a record failed; it is tried again');
        await pause(retryMs * 2 ** (tried - 1), stopping);
      }
    }
  }

  async function takeEffect(told: readonly Told[]): Promise<void> {
    const unique = new Map(told.map((one) => [one.record.id, one]));
    const inTraceOf: InTraceOf = (record, work) => within(unique.get(record.id)?.trace, work);
    // A record that is part of no trace must not come into another's.
    const shared = told.every(({ trace }) => trace !== undefined) ? told[0]?.trace : undefined;
    const firsts = await within(shared, () =>
      effects.once(group, [...unique.keys()], (tx, isFirst) => {
        const records = [...unique.values()].map(({ record }) => record).filter(({ id }) => isFirst(id));
        return handling.handle(tx, records, inTraceOf);
      }),
    );
    endAll(told);
    for (let no = 0; no < told.length; no += 1) tell(no < firsts.size ? 'handled' : 'repeated');
  }

  async function bury({ message, trace }: Pick<Told, 'message' | 'trace'>, error: Error, tried: number): Promise<void> {
    const failedAt = new Date(clock.now()).toISOString();
    const reason = error.message;
    try {
      await within(trace, () => effects.bury(toDeadLetter(message, { group, reason, tries: tried, failedAt })));
    } finally {
      trace?.end(error);
    }
    log.error({ group, topic: message.topic, key: message.key, reason }, 'a record was put aside');
    tell('buried');
  }

  return handle;
}

function within<T>(trace: MessageTrace | undefined, work: () => T): T {
  return trace === undefined ? work() : trace.enter(work);
}

function endAll(told: readonly Told[], error?: unknown): void {
  for (const { trace } of told) trace?.end(error);
}

const STATEMENT_TOOK_TOO_LONG = '57014';

function isNotItsFault(error: unknown): boolean {
  return isDatabaseAway(error) && (error as { code?: unknown }).code !== STATEMENT_TOOK_TOO_LONG;
}

/** Rejects if the process stops meanwhile: the message has not been handled, and whoever reads on gets it again. */
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

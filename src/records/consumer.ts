/**
 * How a group handles a message: each record has its effect once, in one transaction with the note that it had. One
 * that fails is tried again a few times, with growing pauses, and then put aside with the reason, so that whatever is
 * behind it waits for no longer than that. What is not the record's fault, a database that is away, is not counted
 * against it: the log brings the same message again until it is handled.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Transaction } from '../platform/database/database.ts';
import { isDatabaseAway } from '../platform/database/database-errors.ts';
import { toDeadLetter } from './dead-letter.ts';
import type { Effects } from './effects.ts';
import { type FairlineRecord, type RecordOf, type RecordType, readRecord } from './record.ts';
import type { Message } from './record-log.ts';

export type Handlers = { [T in RecordType]?: (tx: Transaction, record: RecordOf<T>) => Promise<void> };

export interface ConsumerOptions {
  group: string;
  handlers: Handlers;
  effects: Effects;
  tries: number;
  /** Before the second try; before each further one twice as long. */
  retryMs: number;
  clock: Clock;
  log: Logger;
  onHandled?: (outcome: HandledOutcome) => void;
  /** Aborted when pauses are to end, because the process stops. */
  stopping: AbortSignal;
}

export type HandledOutcome = 'handled' | 'repeated' | 'ignored' | 'buried';

export function createConsumer(options: ConsumerOptions): (message: Message) => Promise<void> {
  const { group, handlers, effects, tries, retryMs, clock, log, onHandled, stopping } = options;

  async function handle(message: Message): Promise<HandledOutcome> {
    const read = readRecord(message.value);
    if (read.outcome === 'malformed') return bury(message, read.reason, 0);
    if (read.outcome === 'unknown' || handlers[read.record.type] === undefined) return 'ignored';
    for (let tried = 1; ; tried += 1) {
      try {
        return await takeEffect(read.record);
      } catch (error) {
        if (isNotItsFault(error)) throw error;
        if (tried >= tries) return bury(message, (error as Error).message, tried);
        log.warn({ err: error, group, recordId: read.record.id }, 'a record failed; it is tried again');
        await pause(retryMs * 2 ** (tried - 1), stopping);
      }
    }
  }

  async function takeEffect(record: FairlineRecord): Promise<HandledOutcome> {
    const handler = handlers[record.type] as (tx: Transaction, record: FairlineRecord) => Promise<void>;
    const isFirst = await effects.once(group, record.id, (tx) => handler(tx, record));
    return isFirst ? 'handled' : 'repeated';
  }

  async function bury(message: Message, reason: string, tried: number): Promise<'buried'> {
    const failedAt = new Date(clock.now()).toISOString();
    await effects.bury(toDeadLetter(message, { group, reason, tries: tried, failedAt }));
    log.error({ group, topic: message.topic, key: message.key, reason }, 'a record was put aside');
    return 'buried';
  }

  return async (message) => {
    const outcome = await handle(message);
    onHandled?.(outcome);
  };
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

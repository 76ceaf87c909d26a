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
import { toDeadLetter } from './dead-letter.ts';
import type { Effects } from './effects.ts';
import type { Handling } from './handling.ts';
import { type FairlineRecord, readRecord } from './record.ts';
import type { Message } from './record-log.ts';

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
  /** Aborted when pauses are to end, because the process stops. */
  stopping: AbortSignal;
}

export type HandledOutcome = 'handled' | 'repeated' | 'ignored' | 'buried';

/** A message that says something to the group. */
interface Told {
  message: Message;
  record: FairlineRecord;
}

export function createConsumer(options: ConsumerOptions): (messages: readonly Message[]) => Promise<void> {
  const { group, handling, effects, tries, retryMs, clock, log, onHandled, stopping } = options;
  const tell = (outcome: HandledOutcome) => onHandled?.(outcome);

  async function handle(messages: readonly Message[]): Promise<void> {
    const told: Told[] = [];
    for (const message of messages) {
      const read = readRecord(message.value);
      if (read.outcome === 'malformed') await bury(message, read.reason, 0);
      else if (read.outcome === 'unknown' || !handling.handles(read.record.type)) tell('ignored');
      else told.push({ message, record: read.record });
    }
    await handleTogether(told);
  }

  async function handleTogether(told: readonly Told[]): Promise<void> {
    const [first] = told;
    if (first === undefined) return;
    if (told.length === 1) return handleAlone(first);
    try {
      await takeEffect(told.map(({ record }) => record));
    } catch (error) {
      if (isNotItsFault(error)) throw error;
      const half = Math.ceil(told.length / 2);
      await handleTogether(told.slice(0, half));
      await handleTogether(told.slice(half));
    }
  }

  async function handleAlone({ message, record }: Told): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await takeEffect([record]);
      } catch (error) {
        if (isNotItsFault(error)) throw error;
        if (tried >= tries) return bury(message, (error as Error).message, tried);
        log.warn({ err: error, group, recordId: record.id }, 'a record failed; it is tried again');
        await pause(retryMs * 2 ** (tried - 1), stopping);
      }
    }
  }

  async function takeEffect(records: readonly FairlineRecord[]): Promise<void> {
    const unique = [...new Map(records.map((record) => [record.id, record])).values()];
    const firsts = await effects.once(
      group,
      unique.map(({ id }) => id),
      (tx, isFirst) =>
        handling.handle(
          tx,
          unique.filter(({ id }) => isFirst(id)),
        ),
    );
    for (let no = 0; no < records.length; no += 1) tell(no < firsts.size ? 'handled' : 'repeated');
  }

  async function bury(message: Message, reason: string, tried: number): Promise<void> {
    const failedAt = new Date(clock.now()).toISOString();
    await effects.bury(toDeadLetter(message, { group, reason, tries: tried, failedAt }));
    log.error({ group, topic: message.topic, key: message.key, reason }, 'a record was put aside');
    tell('buried');
  }

  return handle;
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

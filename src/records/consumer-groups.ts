/** The consumer groups of a process: each reads some topics and handles their records. */
import type { Tracing } from '../platform/tracing/tracing.ts';
import { type ConsumerOptions, createConsumer, type HandledOutcome } from './consumer.ts';
import type { Handling } from './handling.ts';
import type { Consumption, Message, RecordLog } from './record-log.ts';
import { createTraceMessage } from './trace-message.ts';

export interface ConsumerGroup {
  group: string;
  topics: readonly string[];
  handling: Handling;
}

export interface ConsumerGroupsOptions
  extends Pick<ConsumerOptions, 'effects' | 'tries' | 'retryMs' | 'clock' | 'log'> {
  recordLog: Pick<RecordLog, 'consume'>;
  /** undefined: tracing is off. */
  tracing: Tracing | undefined;
  /** The messaging system, as traces name it. */
  system: string;
  onHandled: (group: string, outcome: HandledOutcome) => void;
}

export class ConsumerGroups {
  readonly #options: ConsumerGroupsOptions;
  readonly #stopping = new AbortController();
  /** The topics that this process reads, by group. */
  readonly started = new Map<string, readonly string[]>();

  constructor(options: ConsumerGroupsOptions) {
    this.#options = options;
  }

  start(group: ConsumerGroup): Consumption {
    const { recordLog, tracing, system } = this.#options;
    this.started.set(group.group, group.topics);
    const traceMessage = createTraceMessage(tracing, { operation: 'process', system, group: group.group });
    const handle = this.#createHandler(group, traceMessage);
    const consumption = recordLog.consume({ group: group.group, topics: group.topics, handle });
    return {
      stop: async () => {
        this.#stopping.abort();
        await consumption.stop();
      },
    };
  }

  /** Handles old records as the group does. Without traces: those of the records are long over. */
  createReplayHandler(group: ConsumerGroup): (messages: readonly Message[]) => Promise<void> {
    return this.#createHandler(group, undefined);
  }

  #createHandler({ group, handling }: ConsumerGroup, traceMessage: ConsumerOptions['traceMessage']) {
    const { effects, tries, retryMs, clock, log, onHandled } = this.#options;
    const stopping = this.#stopping.signal;
    const noteHandled = (outcome: HandledOutcome) => onHandled(group, outcome);
    return createConsumer({
      ...{ group, handling, effects, tries, retryMs, clock, log, traceMessage, stopping },
      onHandled: noteHandled,
    });
  }
}

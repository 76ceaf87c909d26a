/**
 * Messages as parts of the traces that their headers name. Each has a span of its own, though many are sent and handled
 * at once: the conventions of OpenTelemetry know one span for a batch too, with a link to each message, but that is in a
 * trace of its own, and whoever looks for what became of a purchase would have to look for it there. What is done for
 * all of them together, as beginning a transaction, is below the first.
 */
import type { MessageTrace, Tracing } from '../platform/tracing/tracing.ts';
import type { Message } from './record-log.ts';

/** undefined for a message that is part of no trace. */
export type TraceMessage = (message: Message) => MessageTrace | undefined;

/** undefined where no traces are made, so that nothing is asked of each message. */
export function createTraceMessage(
  tracing: Pick<Tracing, 'beginMessage'> | undefined,
  step: { operation: 'send' | 'process'; system: string; group?: string },
): TraceMessage | undefined {
  return tracing && (({ topic, headers }) => headers && tracing.beginMessage({ ...step, topic, headers }));
}

/**
 * Continues the trace of a message. Each message has its own span, even in a batch. OpenTelemetry's conventions also allow one
 * span for a batch with a link to each message, but that span is in another trace, where nobody looks for a purchase. The shared
 * work of a batch, such as its transaction, is a child of the first span.
 */
import type { MessageTrace, Tracing } from '../platform/tracing/tracing.ts';
import type { Message } from './record-log.ts';

/** undefined for a message without a trace. */
export type TraceMessage = (message: Message) => MessageTrace | undefined;

/** undefined where tracing is off. */
export function createTraceMessage(
  tracing: Pick<Tracing, 'beginMessage'> | undefined,
  step: { operation: 'send' | 'process'; system: string; group?: string },
): TraceMessage | undefined {
  return tracing && (({ topic, headers }) => headers && tracing.beginMessage({ ...step, topic, headers }));
}

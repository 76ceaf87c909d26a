/** What is kept of a message that a group could not handle: all of it, and why. */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Message } from './record-log.ts';
import { deadTopicOf } from './topics.ts';

const DeadLetter = Type.Object({
  topic: Type.String(),
  key: Type.String(),
  value: Type.String({ description: 'the message as it was' }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  group: Type.String({ description: 'who could not handle it' }),
  reason: Type.String(),
  tries: Type.Integer(),
  failedAt: Type.String(),
});
export type DeadLetter = Static<typeof DeadLetter>;

const letter = Compile(DeadLetter);
const LONGEST_REASON = 500;

export function toDeadLetter(message: Message, failure: Omit<DeadLetter, keyof Message>): Message {
  const { topic } = message;
  const body: DeadLetter = { ...message, ...failure, reason: failure.reason.slice(0, LONGEST_REASON) };
  return { ...message, topic: deadTopicOf(topic), value: JSON.stringify(body) };
}

/** The message that was put aside; undefined if this is no dead letter of ours. */
export function readDeadLetter(text: string): Message | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (!letter.Check(body)) return undefined;
    const { topic, key, value, headers } = body;
    return { topic, key, value, ...(headers && { headers }) };
  } catch {
    return undefined;
  }
}

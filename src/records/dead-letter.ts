/** A message that a group could not handle, with the reason. */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Message } from './record-log.ts';
import { deadTopicOf } from './topics.ts';

const DeadLetter = Type.Object({
  topic: Type.String(),
  key: Type.String(),
  value: Type.String({ description: 'the original message' }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  group: Type.String({ description: 'the group that failed' }),
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

/** The original message; undefined if the text is no dead letter. */
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

/** Messages between the words of the client and those of the log. */
import type { Message as KafkaMessage, MessageToProduce } from '@platformatic/kafka';
import type { Message } from '../record-log.ts';

export type TextMessage = KafkaMessage<string, string, string, string>;

export function toMessage({ topic, key, value, headers }: Pick<TextMessage, keyof Message>): Message {
  if (headers.size === 0) return { topic, key, value };
  // Others may write headers without a value.
  const told = [...headers].filter(([, text]) => typeof text === 'string');
  return { topic, key, value, headers: Object.fromEntries(told) };
}

export function toSend(
  { topic, key, value, headers }: Message,
  named: (topic: string) => string,
): MessageToProduce<string, string, string, string> {
  return { topic: named(topic), key, value, ...(headers && { headers }) };
}

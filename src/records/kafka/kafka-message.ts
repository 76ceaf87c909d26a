/** Converts messages between the Kafka client and the record log. */
import type { Message as KafkaMessage, MessageToProduce } from '@platformatic/kafka';
import type { Message } from '../record-log.ts';

export type TextMessage = KafkaMessage<string, string, string, string>;

export function toMessage({ topic, key, value, headers }: Pick<TextMessage, keyof Message>): Message {
  if (headers.size === 0) return { topic, key, value };
  // Other producers can write headers without a value.
  const texts = [...headers].filter(([, text]) => typeof text === 'string');
  return { topic, key, value, headers: Object.fromEntries(texts) };
}

export function toSend(
  { topic, key, value, headers }: Message,
  named: (topic: string) => string,
): MessageToProduce<string, string, string, string> {
  return { topic: named(topic), key, value, ...(headers && { headers }) };
}

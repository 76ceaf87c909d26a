/** The contract of every record log. */
import { expect, it, onTestFinished } from 'vitest';
import type { Message, RecordLog } from '../../src/records/record-log.ts';
import { partitionOf } from '../../src/records/topics.ts';
import { until } from '../support/until.ts';

let count = 0;
/** A unique name. */
function unique(word: string): string {
  count += 1;
  return `${word}-${process.pid}-${count}`;
}

/** `openLog`: each call acts as another process of the same installation. */
export function describeLog(openLog: () => RecordLog): void {
  const open = () => {
    const log = openLog();
    onTestFinished(() => log.close());
    return log;
  };

  /** `seen`: handled messages, in order of first delivery. */
  function read(
    log: RecordLog,
    group: string,
    topic: string,
    onMessage: (message: Message) => Promise<void> = async () => {},
  ) {
    const seen: string[] = [];
    const consumption = log.consume({
      group,
      topics: [topic],
      handle: async (messages) => {
        for (const message of messages) {
          await onMessage(message);
          // Delivery is at least once.
          if (!seen.includes(message.value)) seen.push(message.value);
        }
      },
    });
    onTestFinished(() => consumption.stop());
    return { seen, stop: () => consumption.stop() };
  }

  const messagesOf = (topic: string, keys: string[], each: number): Message[] =>
    Array.from({ length: each }, (_, no) => keys.map((key) => ({ topic, key, value: `${key}:${no}` }))).flat();

  /** One key for each partition. */
  const keys = [0, 1, 2].map((partition) => {
    for (let no = 0; ; no += 1) if (partitionOf(`key${no}`) === partition) return `key${no}`;
  });

  it('delivers every message to every group, in order for each key', async () => {
    const [log, topic] = [open(), unique('topic')];
    const readers = ['a', 'b'].map((name) => read(log, unique(name), topic));
    const messages = messagesOf(topic, keys, 50);
    for (let at = 0; at < messages.length; at += 30) await log.publish(messages.slice(at, at + 30));
    for (const { seen } of readers) {
      await until('all messages', () => seen.length >= messages.length);
      expect(seen).toHaveLength(messages.length);
      for (const key of keys) {
        expect(seen.filter((value) => value.startsWith(`${key}:`))).toEqual(
          messagesOf(topic, [key], 50).map((m) => m.value),
        );
      }
    }
  });

  it('redelivers an unhandled message before later ones of its partition, while other partitions continue', async () => {
    const [log, topic] = [open(), unique('topic')];
    let failures = 0;
    const { seen } = read(log, unique('group'), topic, async ({ value }) => {
      if (value !== `${keys[0]}:0` || failures === 3) return;
      failures += 1;
      throw new Error('not now');
    });
    await log.publish(messagesOf(topic, keys, 5));
    await until('all messages', () => seen.length >= 15);
    expect(failures).toBe(3);
    expect(seen.filter((value) => value.startsWith(`${keys[0]}:`))).toEqual(
      [0, 1, 2, 3, 4].map((no) => `${keys[0]}:${no}`),
    );
    expect(seen.indexOf(`${keys[1]}:0`)).toBeLessThan(seen.indexOf(`${keys[0]}:0`));
  });

  it('continues at the position of the group, and reports its lag', async () => {
    const [log, topic, group] = [open(), unique('topic'), unique('group')];
    await log.publish(messagesOf(topic, keys, 10));
    expect((await log.measureLag(group, [topic])).get(topic)).toBeGreaterThanOrEqual(30);
    const first = read(log, group, topic);
    await until('all messages', () => first.seen.length >= 30);
    await first.stop();
    expect(await log.measureLag(group, [topic])).toEqual(new Map([[topic, 0]]));
    await log.publish(messagesOf(topic, ['late'], 3));
    expect(first.seen).toHaveLength(30);
    const second = read(log, group, topic);
    await until('what is new', () => second.seen.length >= 3);
    expect(second.seen).toEqual(['late:0', 'late:1', 'late:2']);
  });

  it('loses nothing when readers of a group come and go, and keeps the order of first deliveries', async () => {
    const [log, topic, group] = [open(), unique('topic'), unique('group')];
    const arrived: string[] = [];
    const note = async ({ value }: Message) => {
      if (!arrived.includes(value)) arrived.push(value);
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const messages = messagesOf(topic, [...keys, 'more', 'and-more'], 60);
    const first = read(open(), group, topic, note);
    await log.publish(messages.slice(0, 150));
    await until('the first messages', () => arrived.length > 20);
    const second = read(open(), group, topic, note);
    await log.publish(messages.slice(150));
    await first.stop();
    const third = read(open(), group, topic, note);
    await until('all messages', () => arrived.length === messages.length);
    await Promise.all([second.stop(), third.stop()]);
    for (const key of [...keys, 'more', 'and-more']) {
      expect(arrived.filter((value) => value.startsWith(`${key}:`))).toEqual(
        messagesOf(topic, [key], 60).map((m) => m.value),
      );
    }
  });

  it('drains from the start, or from the position of the last drain', async () => {
    const [log, topic, group] = [open(), unique('topic'), unique('group')];
    const drain = async (as: string | undefined) => {
      const seen = new Set<string>();
      const handle = async (messages: readonly Message[]) => {
        for (const { value } of messages) seen.add(value);
      };
      expect(await log.drain({ group: as, topics: [topic], handle })).toBeGreaterThanOrEqual(seen.size);
      return [...seen];
    };
    expect(await drain(undefined)).toEqual([]);
    await log.publish(messagesOf(topic, keys, 4));
    expect(await drain(group)).toHaveLength(12);
    expect(await drain(group)).toEqual([]);
    await log.publish(messagesOf(topic, ['late'], 2));
    expect(await drain(group)).toEqual(['late:0', 'late:1']);
    expect(await drain(undefined)).toHaveLength(14);
  });
}

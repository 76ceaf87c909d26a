/** Notices of admissions: to SQS, to a webhook, or to nobody. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { NoticesConfig } from '../config/notice-settings.ts';
import type { Visits } from '../line/store/visits.ts';
import type { EntryTokens } from '../line/tokens/entry-tokens.ts';
import { createNoticeMetrics } from '../notices/notice-metrics.ts';
import { NoticeQueue } from '../notices/notice-queue.ts';
import type { NoticeSink } from '../notices/notice-sink.ts';
import { createWebhookSink } from '../notices/webhook/webhook-sink.ts';
import type { Clock } from '../platform/clock.ts';

export interface NoticesOptions {
  config: NoticesConfig;
  visits: Pick<Visits, 'find'>;
  entryTokens: EntryTokens;
  registry: Registry;
  clock: Clock;
  log: Logger;
}

export async function openNotices(options: NoticesOptions): Promise<NoticeQueue[]> {
  const { config, visits, entryTokens, registry, clock, log } = options;
  const queues = new Map<string, NoticeQueue>();
  const metrics = createNoticeMetrics(registry, () => queues);
  for (const sink of await openSinks(config, clock)) {
    const onOutcome = metrics.countOutcome;
    queues.set(sink.name, new NoticeQueue({ sink, visits, entryTokens, most: config.most, onOutcome, log }));
  }
  return [...queues.values()];
}

/** Loads the AWS SDK only if SQS is configured. */
async function openSinks({ sqs, webhook }: NoticesConfig, clock: Clock): Promise<NoticeSink[]> {
  const sinks: NoticeSink[] = [];
  if (sqs !== undefined) sinks.push((await import('../notices/sqs/sqs-sink.ts')).createSqsSink(sqs));
  if (webhook !== undefined) sinks.push(createWebhookSink(webhook, clock));
  return sinks;
}

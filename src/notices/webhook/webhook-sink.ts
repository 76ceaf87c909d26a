/**
 * Sends notices to a URL of the operator, one request each. The signature header is `t=<seconds>,v1=<HMAC-SHA256 of "t.body">`,
 * in base64url. Failed requests are retried a few times, so the receiver can get a notice twice.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { secretBytes } from '../../platform/crypto/secret-bytes.ts';
import { dedupeIdOf, type Notice } from '../notice.ts';
import type { NoticeSink } from '../notice-sink.ts';

export interface WebhookConfig {
  url: string;
  secret: string;
  tries: number;
  /** The pause before the second try; it doubles with each further try. */
  retryMs: number;
}

export const NOTICE_SIGNATURE_HEADER = 'x-fairline-signature';
const TIMEOUT_MS = 3_000;
const CONCURRENCY = 8;

export function createWebhookSink({ url, secret, tries, retryMs }: WebhookConfig, clock: Clock): NoticeSink {
  const closing = new AbortController();

  async function isTaken(notice: Notice): Promise<boolean> {
    const body = JSON.stringify(notice);
    for (let tried = 1; ; tried += 1) {
      const outcome = await post(body, notice).catch(() => 'again' as const);
      if (outcome !== 'again') return outcome === 'taken';
      if (tried >= tries || closing.signal.aborted) return false;
      await sleep(retryMs * 2 ** (tried - 1), undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function post(body: string, notice: Notice): Promise<'taken' | 'refused' | 'again'> {
    const seconds = Math.floor(clock.now() / 1000);
    const mac = createHmac('sha256', secretBytes(secret)).update(`${seconds}.${body}`).digest('base64url');
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': encodeURIComponent(`${dedupeIdOf(notice)}:${notice.timestamp}`),
      [NOTICE_SIGNATURE_HEADER]: `t=${seconds},v1=${mac}`,
    };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // Following a redirect could send the token to another host.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    if (response.ok) return 'taken';
    return response.status >= 500 || response.status === 429 ? 'again' : 'refused';
  }

  return {
    name: 'webhook',
    batchSize: 1,
    concurrency: CONCURRENCY,
    async send(notices) {
      const taken = await Promise.all(notices.map(isTaken));
      return taken.filter((isIt) => !isIt).length;
    },
    async close() {
      closing.abort();
    },
  };
}

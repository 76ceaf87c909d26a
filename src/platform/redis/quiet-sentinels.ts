/**
 * The client's connector for sentinels, without its noise: it listens to sentinels for failovers, and writes a line to stderr
 * for every attempt to reach one that is away. The connection itself reports the errors that matter.
 */
import { type Redis, type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/** A private method of the connector; `test/platform/redis/sentinel.test.ts` notices if a new version has another. */
interface Connecting {
  connectToSentinel(...args: unknown[]): Redis;
}

export class QuietSentinels extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const connector = this as unknown as Connecting;
    const connect = connector.connectToSentinel.bind(this);
    connector.connectToSentinel = (...args) => connect(...args).on('error', () => {});
  }
}

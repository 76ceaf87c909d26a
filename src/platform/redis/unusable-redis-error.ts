/** Redis is unreachable or unsuitable. The operator must fix it, so the message is shown without a stack. */
export class UnusableRedisError extends Error {
  override readonly name: string = 'UnusableRedisError';
}

/** Redis cannot be reached now. It may come by itself. */
export class RedisAwayError extends UnusableRedisError {
  override readonly name = 'RedisAwayError';
}

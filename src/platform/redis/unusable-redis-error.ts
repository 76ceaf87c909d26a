/** Redis is unreachable or unsuitable. The operator must fix it, so the message is shown without a stack. */
export class UnusableRedisError extends Error {
  override readonly name = 'UnusableRedisError';
}

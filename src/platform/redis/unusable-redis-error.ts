/** Redis is not there, or not fit to keep a line: for the operator to mend, so it is told without a stack. */
export class UnusableRedisError extends Error {
  override readonly name = 'UnusableRedisError';
}

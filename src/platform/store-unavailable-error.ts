/** A store cannot be reached now. What it has acknowledged is kept, and the call can be retried. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

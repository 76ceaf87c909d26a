/** A store cannot answer now. Nothing that it promised is undone, and whatever was asked may be asked again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/**
 * Closes a connection on which a statement timed out. It may still be under way, and a `rollback` behind it would time out
 * too and never be sent: the pool would then give out a connection in a failed transaction again and again.
 */
import type pg from 'pg';

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

export function closeAfterTimeout(Client: typeof pg.Client): typeof pg.Client {
  class ClosingClient extends Client {}
  const query = Client.prototype.query as Query;
  const queryOrClose: Query = function queryOrClose(...args) {
    const result = query.apply(this, args);
    if (result instanceof Promise) {
      result.catch((error) => {
        if (isTimeout(error)) this.end().catch(() => {});
      });
    }
    return result;
  };
  ClosingClient.prototype.query = queryOrClose as typeof pg.Client.prototype.query;
  return ClosingClient;
}

/** The driver sets no code on it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

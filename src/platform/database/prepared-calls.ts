/**
 * A connection that prepares the calls of our own functions, so that the server reads and plans each once and not at each
 * hold. Only those: a call has but one plan, while that of another statement, made for tables that are still empty, would
 * be kept when they are full.
 */
import pg from 'pg';

/** One function, or one of what another replies. */
const FUNCTION_CALL = /^\s*select ((?:[a-z_]+\(){1,2})\$1[,)]/;

type Query = (this: pg.Client, text: unknown, values?: unknown, callback?: unknown) => unknown;

export function createPreparingClient(): typeof pg.Client {
  /** By their text. There are as many as the program has such calls, a handful. */
  const names = new Map<string, string>();
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    const call = FUNCTION_CALL.exec(text)?.[1];
    if (call === undefined) return undefined;
    // Read by people, in pg_prepared_statements and on the wire.
    const name = `${call}${names.size})`;
    names.set(text, name);
    return name;
  }
  class PreparingClient extends pg.Client {}
  const query = pg.Client.prototype.query as Query;
  const prepare: Query = function prepare(text, values, callback) {
    const name = typeof text === 'string' ? nameOf(text) : undefined;
    if (name === undefined) return query.call(this, text, values, callback);
    return query.call(this, { name, text, values }, undefined, callback);
  };
  PreparingClient.prototype.query = prepare as typeof pg.Client.prototype.query;
  return PreparingClient;
}

/**
 * A connection that prepares calls of our own functions, so the server parses and plans each once instead of at every
 * hold. Only function calls: other statements could keep a plan that was made while the tables were still empty.
 */
import pg from 'pg';

/** A function call, or a function of another function's result. */
const FUNCTION_CALL = /^\s*select ((?:[a-z_]+\(){1,2})\$1[,)]/;

type Query = (this: pg.Client, text: unknown, values?: unknown, callback?: unknown) => unknown;

export function createPreparingClient(): typeof pg.Client {
  /** By SQL text. The program has a handful of such calls. */
  const names = new Map<string, string>();
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined) return known;
    const call = FUNCTION_CALL.exec(text)?.[1];
    if (call === undefined) return undefined;
    // Readable in pg_prepared_statements and in traces of the protocol.
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

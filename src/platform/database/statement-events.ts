/** Tells whoever listens of each statement and how long it took; where nobody did when it was opened, nothing is measured. */
import { channel } from 'node:diagnostics_channel';
import type { KyselyConfig } from 'kysely';

export interface Statement {
  /** With places for its values, which are not told. */
  sql: string;
  tookMs: number;
  error: unknown;
}

export const statements = channel('fairline:statement');

/** A part of Kysely's configuration. */
export function publishStatements(): Pick<KyselyConfig, 'log'> {
  if (!statements.hasSubscribers) return {};
  return {
    log(event) {
      const error = event.level === 'error' ? event.error : undefined;
      statements.publish({ sql: event.query.sql, tookMs: event.queryDurationMillis, error } satisfies Statement);
    },
  };
}

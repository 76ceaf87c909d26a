/** Publishes each statement with its duration. Measures nothing if there is no subscriber when the database is opened. */
import { channel } from 'node:diagnostics_channel';
import type { KyselyConfig } from 'kysely';

export interface Statement {
  /** With placeholders; values are not published. */
  sql: string;
  tookMs: number;
  error: unknown;
}

export const statements = channel('fairline:statement');

/** Part of Kysely's configuration. */
export function publishStatements(): Pick<KyselyConfig, 'log'> {
  if (!statements.hasSubscribers) return {};
  return {
    log(event) {
      const error = event.level === 'error' ? event.error : undefined;
      statements.publish({ sql: event.query.sql, tookMs: event.queryDurationMillis, error } satisfies Statement);
    },
  };
}

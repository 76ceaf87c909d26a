/** `fairline migrate`: creates the DynamoDB tables. PostgreSQL is migrated at start. */
import type { Config } from '../config/config.ts';

/** Returns a sentence about what was done. */
export async function migrate({ tier1 }: Config): Promise<string> {
  if (tier1.dynamodb === undefined)
    return 'Nothing to do: DynamoDB is not configured, and PostgreSQL is migrated at start.';
  const { createDynamoDbTables } = await import('./dynamodb-stores.ts');
  const created = await createDynamoDbTables(tier1.dynamodb);
  return created.length === 0 ? 'The tables of tier 1 already exist.' : `Created the tables ${created.join(' and ')}.`;
}

/** `fairline migrate`: makes what the configured stores need and cannot make for themselves. */
import type { Config } from '../config/config.ts';

/** What was done, in words. */
export async function migrate({ tier1 }: Config): Promise<string> {
  if (tier1.dynamodb === undefined) return 'Nothing to do: the configured stores make what they need.';
  const { createDynamoDbTables } = await import('./dynamodb-stores.ts');
  const made = await createDynamoDbTables(tier1.dynamodb);
  return made.length === 0 ? 'The tables of tier 1 are there.' : `Made the tables ${made.join(' and ')}.`;
}

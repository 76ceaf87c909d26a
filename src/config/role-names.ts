/** Every role that FAIRLINE_ROLES can name. compose/roles.ts shows what each runs. */
export const roleNames = [
  /** Serves the line: doors, streams, waiting page, operator endpoints, tier 1. */
  'line',
  /** Admits waiting visitors, tick by tick. */
  'admitter',
  /** Removes visitors who stopped showing signs of life. */
  'sweeper',
  /** Advances the serving counter of tier 1. */
  'advancer',
  /** Delivers admissions to the process that holds the visitor's stream. */
  'dispatcher',
  /** Cleans up after line processes that died. */
  'reaper',
  /** Serves events, seats, payments and accounts. */
  'shop',
  /** Releases expired holds, follows up unfinished payments, reports stock to the lines. */
  'keeper',
  /** Moves records from the outbox to the record log. */
  'relay',
  /** Does what follows a payment: hands over transfers, starts memberships, writes the records. */
  'chain',
  /** Counts records into statistics and serves them. */
  'stats',
] as const;
export type RoleName = (typeof roleNames)[number];

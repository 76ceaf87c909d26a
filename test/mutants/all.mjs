/** All mutants. `scripts/mutants.mjs` runs them; `test/repository/mutants.test.ts` checks that they still apply. */
import { identityAndHttp } from './identity-http.mjs';
import { lineEmbedded } from './line-embedded.mjs';
import { lineRedis } from './line-redis.mjs';
import { operators } from './operators.mjs';
import { outages } from './outages.mjs';
import { shopAndRecords } from './shop-records.mjs';
import { tier1 } from './tier1.mjs';
import { tokensAndGate } from './tokens-gate.mjs';
import { users } from './users.mjs';
import { waitingTime } from './waiting-time.mjs';

/** @type {readonly import('./mutant.d.mts').Mutant[]} */
export const mutants = [
  ...lineEmbedded,
  ...lineRedis,
  ...outages,
  ...waitingTime,
  ...tier1,
  ...tokensAndGate,
  ...identityAndHttp,
  ...operators,
  ...users,
  ...shopAndRecords,
];

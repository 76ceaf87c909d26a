import type { Contract } from '../contract.ts';
import { memberships, transfers } from '../exchanges/urr-after-sale.ts';
import { buying, buyingTickets, catalogue } from '../exchanges/urr-buying.ts';
import { operating } from '../exchanges/urr-operating.ts';

/** The shop of URR's front end, from the list of events to the statistics. */
export const contract: Contract = {
  name: 'urr: shop front end',
  env: { COMPAT: 'urr', PAYMENT_CLIENT_KEY: 'test_ck_contract', KEEPER_INTERVAL_MS: '50' },
  shop: true,
  exchanges: [...catalogue, ...buying, ...buyingTickets, ...memberships, ...transfers, ...operating],
};

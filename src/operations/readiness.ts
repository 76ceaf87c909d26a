/** When a process is ready for traffic. */
import { type Static, Type } from 'typebox';
import { AppError } from '../http/errors.ts';

export const Readiness = Type.Object({
  status: Type.Literal('ready'),
  shop: Type.Optional(Type.String({ description: 'why the shop is unavailable; the line keeps running' })),
  records: Type.Optional(Type.String({ description: 'why records are not passed on; sales keep running' })),
  tier1: Type.Optional(Type.String({ description: 'why tier 1 is unavailable; sales keep running' })),
});
export type Readiness = Static<typeof Readiness>;

/** The stores of a process, by what they hold: which server that is depends on the settings. */
export type StoreName = 'line' | 'tier1' | 'database' | 'records' | 'issuer';

export interface ProcessState {
  isStopping: boolean;
  /** The stores without which this process is of no use. */
  needs: readonly StoreName[];
  /** Why stores that this process uses are unavailable. Each reason names its server. */
  faults: Readonly<Partial<Record<StoreName, string>>>;
}

/** Throws if the process is not ready, with the reason of each store that it waits for. */
export function requireReady({ isStopping, needs, faults }: ProcessState): Readiness {
  if (isStopping) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
  const reasons = new Set(needs.flatMap((store) => faults[store] ?? []));
  if (reasons.size > 0) {
    throw new AppError('STORE_UNAVAILABLE', { message: [...reasons].join('; '), retryAfterSeconds: 2 });
  }
  const { database: shop, records, tier1 } = faults;
  return {
    status: 'ready',
    ...(shop === undefined ? {} : { shop }),
    ...(records === undefined ? {} : { records }),
    ...(tier1 === undefined ? {} : { tier1 }),
  };
}

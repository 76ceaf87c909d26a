/** When a process is ready for traffic. */
import { type Static, Type } from 'typebox';
import { AppError } from '../http/errors.ts';

export const Readiness = Type.Object({
  status: Type.Literal('ready'),
  shop: Type.Optional(Type.String({ description: 'why the shop is unavailable; the line keeps running' })),
});
export type Readiness = Static<typeof Readiness>;

export interface ProcessState {
  isStopping: boolean;
  /** Why the store of the line or of tier 1 is unavailable. */
  storeFault: string | undefined;
  /** Why the database is unavailable. */
  databaseFault: string | undefined;
  servesLine: boolean;
}

/** Throws if the process is not ready. Visitors can wait without the database; a process that only sells needs it. */
export function requireReady({ isStopping, storeFault, databaseFault, servesLine }: ProcessState): Readiness {
  if (isStopping) throw new AppError('STOPPING', { retryAfterSeconds: 1 });
  const fault = storeFault ?? (servesLine ? undefined : databaseFault);
  if (fault !== undefined) throw new AppError('STORE_UNAVAILABLE', { message: fault, retryAfterSeconds: 2 });
  return { status: 'ready', ...(databaseFault === undefined ? {} : { shop: databaseFault }) };
}

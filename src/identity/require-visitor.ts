/** Returns the authenticated visitor, or throws. Used by endpoints that require no admission. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../http/errors.ts';
import type { Identity } from './identity.ts';
import type { Visitor } from './visitor.ts';

export function requireVisitor({ headers }: { headers: IncomingHttpHeaders }, identity: Identity): Visitor {
  const caller = identity.identify(headers);
  if (caller.outcome === 'known') return caller.visitor;
  throw new AppError(caller.outcome === 'nobody' ? 'UNAUTHENTICATED' : 'INVALID_TOKEN');
}

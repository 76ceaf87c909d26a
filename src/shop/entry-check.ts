/** Only whoever was let in may hold: the entry token must be genuine, for this event, the caller's own, and not ended. */
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../accounts/identity.ts';
import type { Visitor } from '../accounts/visitor.ts';
import { AppError } from '../errors.ts';
import { ENTRY_COOKIE, ENTRY_HEADER, type Entry } from '../line/entry-pass.ts';
import type { EntryTokens } from '../line/entry-tokens.ts';
import type { LineStore } from '../line/line-store.ts';
import { readCookie } from '../platform/cookies.ts';

export interface EntryCheckOptions {
  store: Pick<LineStore, 'find'>;
  identity: Identity;
  entryTokens: EntryTokens;
}

/** Who was let in to the event; throws with where to go for anybody else. */
export async function requireEntry(
  eventId: string,
  request: FastifyRequest,
  options: EntryCheckOptions,
): Promise<Visitor> {
  const { headers } = request;
  const header = headers[ENTRY_HEADER];
  const token = typeof header === 'string' ? header : readCookie(headers.cookie, ENTRY_COOKIE);
  const redirectTo = `/queue/${eventId}`;
  if (token === undefined) throw new AppError('ENTRY_TOKEN_REQUIRED', { redirectTo });
  const entry = options.entryTokens.verify(token);
  const caller = options.identity.identify(headers);
  const isCallers = caller.outcome === 'known' && caller.visitor.id === entry?.visitor;
  if (entry?.eventId !== eventId || !isCallers || !(await isStillOn(entry, options.store))) {
    throw new AppError('ENTRY_TOKEN_INVALID', { redirectTo });
  }
  return caller.visitor;
}

/** Who is asking, where nobody has to have waited. */
export function requireKnown(request: FastifyRequest, identity: Identity): Visitor {
  const caller = identity.identify(request.headers);
  if (caller.outcome === 'known') return caller.visitor;
  throw new AppError(caller.outcome === 'nobody' ? 'UNAUTHENTICATED' : 'INVALID_TOKEN');
}

async function isStillOn(entry: Entry, store: EntryCheckOptions['store']): Promise<boolean> {
  const found = await store.find(entry.eventId, entry.visitor);
  if (found.outcome === 'no-room') return false;
  const { standing } = found;
  return (standing.state === 'admitted' || standing.state === 'active') && standing.tokenId === entry.tokenId;
}

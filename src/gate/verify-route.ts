/**
 * Whether a request may go on to an event's shop: its entry token must be genuine, for this event, the caller's own,
 * and of an admission that has not ended.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Identity } from '../accounts/identity.ts';
import { AppError } from '../errors.ts';
import { ENTRY_COOKIE, ENTRY_HEADER, type Entry } from '../line/entry-pass.ts';
import type { EntryTokens } from '../line/entry-tokens.ts';
import type { LineStore } from '../line/line-store.ts';
import { EventParams } from '../line/routes/event-params.ts';
import { readCookie } from '../platform/cookies.ts';

export interface VerifyRouteOptions {
  store: LineStore;
  identity: Identity;
  entryTokens: EntryTokens;
}

const VerifyAnswer = Type.Object({
  eventId: Type.String(),
  visitor: Type.String(),
  tokenId: Type.String(),
  expiresAt: Type.String(),
});

export const verifyRoute: FastifyPluginAsyncTypebox<VerifyRouteOptions> = async (app, options) => {
  const { store, identity, entryTokens } = options;

  app.get(
    '/gate/verify',
    {
      schema: {
        tags: ['gate'],
        summary: 'Whether the caller holds a good entry token for an event',
        querystring: EventParams,
        response: { 200: VerifyAnswer },
      },
    },
    async (request) => {
      const { eventId } = request.query;
      const token = tokenOf(request.headers);
      if (token === undefined) throw refusal('ENTRY_TOKEN_REQUIRED', eventId);
      const entry = entryTokens.verify(token);
      const isGood =
        entry !== undefined &&
        entry.eventId === eventId &&
        isCallers(entry, request.headers, identity) &&
        (await isStillOn(entry, store));
      if (!isGood) throw refusal('ENTRY_TOKEN_INVALID', eventId);
      const { visitor, tokenId, expiresAt } = entry;
      return { eventId, visitor, tokenId, expiresAt: new Date(expiresAt).toISOString() };
    },
  );
};

function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers[ENTRY_HEADER];
  return typeof header === 'string' ? header : readCookie(headers.cookie, ENTRY_COOKIE);
}

function isCallers(entry: Entry, headers: IncomingHttpHeaders, identity: Identity): boolean {
  const caller = identity.identify(headers);
  return caller.outcome === 'known' && caller.visitor.id === entry.visitor;
}

async function isStillOn(entry: Entry, store: LineStore): Promise<boolean> {
  const found = await store.find(entry.eventId, entry.visitor);
  if (found.outcome === 'no-room') return false;
  const { standing } = found;
  return (standing.state === 'admitted' || standing.state === 'active') && standing.tokenId === entry.tokenId;
}

function refusal(code: 'ENTRY_TOKEN_REQUIRED' | 'ENTRY_TOKEN_INVALID', eventId: string): AppError {
  return new AppError(code, { redirectTo: `/queue/${eventId}` });
}

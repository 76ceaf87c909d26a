/** Requests that must not have an effect: unknown events, forged tokens, entering before it is one's turn. */
import { join } from './poll-door.ts';
import type { Visitor } from './visitor.ts';

export async function visitUnknownEvent(visitor: Visitor): Promise<void> {
  await join(visitor);
}

/** A guest whose cookie claims an admission that nobody granted. */
export async function visitWithForgedTokens(visitor: Visitor): Promise<void> {
  const claims = Buffer.from(JSON.stringify({ sub: visitor.eventId, uid: 'me', jti: 'mine', exp: 4e9, pos: 1 }));
  const forged = `eyJhbGciOiJub25lIn0.${claims.toString('base64url')}.`;
  visitor.browser.cookies.set('urr-entry-token', forged);
  visitor.browser.cookies.set('urr-vwr-token', forged);
  await join(visitor);
}

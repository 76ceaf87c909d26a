/** Blocks, bans, ejections and bypasses, applied to what the tokens say. */

import type { ProofCheck } from './decide-by-proof.ts';
import type { Decision, Pass } from './decision.ts';
import type { AccessJudge, AccessQuestion } from './judge-access.ts';
import type { NamedEvent } from './read-event-id.ts';
import { deny, sendTo } from './refuse.ts';

export function isBlocked(
  question: AccessQuestion,
  named: NamedEvent | undefined,
  access: AccessJudge | undefined,
): boolean {
  if (!access?.hasBlocks) return false;
  return access.isBlocked(question, named?.outcome === 'known' ? named.eventId : undefined);
}

/**
 * Bans and ejections come first, then bypasses, then what the tokens say. Who may not pass an event at all is told so
 * instead of being sent to wait for it.
 */
export function applyAccess(
  decision: Decision,
  { rule, eventId: named, request, now }: ProofCheck,
  question: AccessQuestion,
  access: AccessJudge,
  pass: Pass,
): Decision {
  const asked = { request, target: pass.target, answer: rule.answer };
  const isPass = decision.outcome === 'pass';
  const eventId = isPass ? (decision.eventId ?? named) : named;
  const visitor = isPass ? decision.visitor : undefined;
  const tokenId = isPass ? decision.session?.entry.tokenId : undefined;
  // An address in the ban list gets no redirect: if the line sees another address, that would be a loop.
  if (access.findBan(eventId, { address: request.address, now }) !== undefined) return deny(403, 'BANNED');
  if (visitor !== undefined && access.findBan(eventId, { visitor, address: undefined, now }) !== undefined) {
    return sendTo('/queue', eventId, 'BANNED', asked);
  }
  // For rules whose event only the token names.
  if (isPass && eventId !== named && access.isBlocked(question, eventId)) return deny(403, 'BLOCKED');
  const isEjected = visitor !== undefined && eventId !== undefined && access.isEjected(eventId, visitor, tokenId);
  const isAllowed = eventId === undefined || access.isAllowed(question, eventId);
  if (isPass && !isEjected && isAllowed) return decision;
  const bypass = access.findBypass(question, named);
  if (bypass !== undefined) return { ...pass, eventId: bypass.eventId, bypass };
  if (!isAllowed) return deny(403, 'NOT_ALLOWED');
  return isEjected ? sendTo('/queue', eventId, 'ENTRY_TOKEN_INVALID', asked) : decision;
}

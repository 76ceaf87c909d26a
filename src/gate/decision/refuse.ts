/** Refusals: deny a request, or send its sender to wait. */
import type { ErrorCode } from '../../http/errors.ts';
import { withWantedPage } from '../../http/wanted-page.ts';
import type { Pass, Refusal, Waits } from './decision.ts';
import { findWantedPage } from './find-wanted-page.ts';
import type { GateRequest } from './gate-request.ts';
import { EVENT_ID } from './rule-syntax.ts';
import type { Rule } from './rules.ts';

export interface Asked {
  request: GateRequest;
  /** The normalized target of the request. */
  target: string;
  answer: Rule['answer'];
}

/** What the rules of a gate can refuse; a page is redirected where a request is refused for its tokens. */
export const gateErrors: readonly ErrorCode[] = [
  'AMBIGUOUS_PATH',
  'INVALID_INPUT',
  'BANNED',
  'BLOCKED',
  'NOT_ALLOWED',
  'NOT_OPEN',
  'VWR_REQUIRED',
  'VWR_TOKEN_INVALID',
  'ENTRY_TOKEN_REQUIRED',
  'ENTRY_TOKEN_INVALID',
  'LINE_UNAVAILABLE',
];

/** Always a path of this site: a constant page, a validated event id and a validated page to return to. */
export function sendTo(
  page: '/vwr' | '/queue',
  eventId: string | undefined,
  code: ErrorCode,
  { request, target, answer }: Asked,
): Refusal {
  const isKnown = eventId !== undefined && EVENT_ID.test(eventId);
  const to = isKnown ? withWantedPage(`${page}/${eventId}`, findWantedPage(request, target, answer)) : page;
  const waits = { eventId: isKnown ? eventId : undefined };
  return answer === 'page' ? { outcome: 'redirect', to, code, waits } : deny(403, code, { redirectTo: to, waits });
}

type DenyDetails = { message?: string; redirectTo?: string; waits?: Waits };

export function deny(status: number, code: ErrorCode, more: DenyDetails = {}): Refusal {
  return { outcome: 'deny', status, code, ...more };
}

/** The refusal for a visitor whose token is valid and whose admission has ended. `target`: that of the pass. */
export function refuseEnded({ entry, answer }: NonNullable<Pass['strict']>, asked: Omit<Asked, 'answer'>): Refusal {
  return sendTo('/queue', entry.eventId, 'ENTRY_TOKEN_INVALID', { ...asked, answer });
}

/** What a gate does with the session of a request that passes: refuses it if it has ended, and renews it. */
import { ENTRY_COOKIE, ENTRY_HEADER } from '../../line/tokens/entry-pass.ts';
import { setCookie } from '../../platform/http-server/cookies.ts';
import type { Decision, Pass } from '../decision/decision.ts';
import type { GateRequest } from '../decision/gate-request.ts';
import { refuseEnded } from '../decision/refuse.ts';
import type { Renewal, SessionKeeper } from './session-keeper.ts';

export interface SessionRules {
  keeper: Pick<SessionKeeper, 'hasEnded' | 'see'> & Partial<Pick<SessionKeeper, 'readableCookie'>>;
  now: () => number;
}

/** A promise only if the token needs renewal first. */
export function keepSession(
  pass: Pass,
  request: GateRequest,
  { keeper, now }: SessionRules,
): Decision | Promise<Decision> {
  const { session } = pass;
  if (session === undefined) return pass;
  if (keeper.hasEnded(session.entry)) return refuseEnded(session, { request, target: pass.target });
  if (!session.renews) return pass;
  const renewal = keeper.see(session.entry);
  if (renewal instanceof Promise) return renewal.then((found) => apply(found));
  return renewal.outcome === 'none' ? pass : apply(renewal);

  function apply(found: Renewal): Decision {
    if (found.outcome === 'none') return pass;
    if (found.outcome === 'ended') return refuseEnded(session!, { request, target: pass.target });
    return withToken(pass, request, found, { now: now(), readable: keeper.readableCookie ?? false });
  }
}

/** The site has ended the session of this request. */
export function endSession({ session, eventId, visitor }: Pass, keeper: Pick<SessionKeeper, 'end'>): void {
  if (session !== undefined) keeper.end(session.entry);
  // Another gate has verified the token and has not said which it was.
  else if (eventId !== undefined && visitor !== undefined) keeper.end({ eventId, visitor });
}

/** As the line sets it when a visitor polls. Who sends the token in a header gets it in a header, too. */
function withToken(
  pass: Pass,
  { headers, isSecure }: GateRequest,
  { token, expiresAt }: Extract<Renewal, { outcome: 'renewed' }>,
  { now, readable }: { now: number; readable: boolean },
): Pass {
  const cookies = [...pass.setCookies];
  const maxAgeSeconds = Math.max(0, Math.floor((expiresAt - now) / 1000));
  const secure = isSecure?.() ?? false;
  setCookie({ header: (_, value) => cookies.push(value) }, ENTRY_COOKIE, token, { maxAgeSeconds, secure, readable });
  const isInHeader = headers[ENTRY_HEADER] !== undefined;
  return { ...pass, setCookies: cookies, ...(isInHeader ? { entryToken: token } : {}) };
}

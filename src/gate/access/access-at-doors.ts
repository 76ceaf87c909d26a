/** Applies bans and `allow-only` entries at the doors of the line. */
import type { DoorRule } from '../../line/door-rule.ts';
import type { Clock } from '../../platform/clock.ts';
import type { VerificationKeys } from '../decision/gate-request.ts';
import type { AccessJudge } from '../decision/judge-access.ts';

export interface AccessAtDoorsOptions {
  judge: () => AccessJudge;
  keys: Pick<VerificationKeys, 'digest'>;
  clock: Clock;
}

export function createAccessAtDoors({ judge, keys, clock }: AccessAtDoorsOptions): DoorRule {
  return {
    findRefusal({ eventId, visitor, caller }, verb) {
      const current = judge();
      if (!current.excludesSome) return undefined;
      const now = clock.now();
      const { ip: address, headers } = caller;
      const ban = current.findBan(eventId, { visitor, address, now });
      if (ban !== undefined) return { code: 'BANNED', until: Number.isFinite(ban.until) ? ban.until : undefined };
      // Who has a place keeps it; the gate decides whether they pass.
      if (verb === 'stay') return undefined;
      const request = { method: 'POST', headers, address };
      const isAllowed = current.isAllowed({ request, segments: [], query: '', keys, now }, eventId);
      return isAllowed ? undefined : { code: 'NOT_ALLOWED', until: undefined };
    },
    wasEjected: (eventId, visitor) => judge().isEjected(eventId, visitor, undefined),
  };
}

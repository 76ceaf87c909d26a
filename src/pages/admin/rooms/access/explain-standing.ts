/** Why a visitor stands where they stand, in one sentence. */
import { formatCount, formatMoment } from '../../../texts/format.ts';
import { fill } from '../../../texts/language.ts';
import type { RoomSummary } from '../../api/wire.ts';
import type { Desk } from '../../controls/desk.ts';
import { showSeconds } from '../../controls/show-values.ts';

export interface StandingFacts {
  state: 'absent' | 'lobby' | 'waiting' | 'admitted' | 'active';
  position?: number;
  expiresAt?: string;
}

export function explainStanding(
  { state, position = 1, expiresAt }: StandingFacts,
  room: RoomSummary | undefined,
  desk: Desk,
): string {
  const { texts, language } = desk;
  const time = expiresAt === undefined ? '' : formatMoment(expiresAt, language);
  if (state === 'absent') return texts.why_absent;
  if (state === 'admitted') return fill(texts.why_admitted, { time });
  if (state === 'active') return fill(texts.why_active, { time });
  if (room === undefined) return '';
  if (room.phase === 'paused') return texts.why_paused;
  if (room.phase === 'closed') return texts.why_closed;
  if (room.phase === 'not_open') {
    const { opensAt } = room.settings;
    return fill(texts.why_not_open, { time: opensAt === undefined ? '' : formatMoment(opensAt, language) });
  }
  const inside = room.admitted + room.active;
  const counts = { inside: formatCount(inside, language), limit: formatCount(room.limit, language) };
  if (position === 1 && inside >= room.limit) return fill(texts.why_full, counts);
  // The wait grows with the position: that of the last one, in proportion.
  const { last } = room.wait;
  if (last === null || room.waiting === 0) return texts.why_ahead;
  return fill(texts.why_turn, { wait: showSeconds((last * position) / (room.waiting + 1), desk) });
}

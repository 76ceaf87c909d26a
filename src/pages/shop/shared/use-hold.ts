/** The time left of a hold. */
import { useMemo } from 'preact/hooks';
import { useCountdown } from './use-answer.ts';
import type { ReservationAnswer } from './wire.ts';

/** Seconds left of the hold; 0 if it is over. */
export function useHold(reservation: ReservationAnswer): number {
  const endsAt = useMemo(() => performance.now() + (reservation.remainingSeconds ?? 0) * 1000, [reservation]);
  return useCountdown(reservation.status === 'held' ? endsAt : undefined) ?? 0;
}

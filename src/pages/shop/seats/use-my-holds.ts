/** What this visitor holds and has bought of an event. The public map does not say whose a held seat is. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import type { ReservationAnswer } from '../shared/wire.ts';

export interface Held {
  reservation: ReservationAnswer;
  /** On the performance.now() clock, which does not jump when the device clock is set. */
  endsAt: number;
}

export interface MyHolds {
  held: Held[];
  /** Ids of the held seats. */
  seatIds: string[];
  /** Tickets held or bought, which count towards the limit per person. */
  count: number;
  reload: () => Promise<void>;
}

export function useMyHolds(eventId: string): MyHolds {
  const [mine, setMine] = useState<{ held: Held[]; count: number }>({ held: [], count: 0 });
  const reload = useCallback(async () => {
    const answer = await send<ReservationAnswer[]>('GET', '/api/reservations/my');
    if (!answer.ok) return;
    const here = answer.value.filter((reservation) => reservation.eventId === eventId);
    const live = here.filter(({ status }) => status === 'held' || status === 'confirmed');
    const held = live.filter(({ status }) => status === 'held').map(toHeld);
    setMine({ held, count: live.reduce((sum, reservation) => sum + ticketsOf(reservation), 0) });
  }, [eventId]);

  useEffect(() => {
    void reload();
    // Back from the checkout the page may come out of the browser's cache; another tab may hold or release meanwhile.
    const wake = () => !document.hidden && void reload();
    addEventListener('pageshow', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      removeEventListener('pageshow', wake);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [reload]);
  const seatIds = mine.held.flatMap(({ reservation }) => reservation.seats.map(({ seatId }) => seatId));
  return { ...mine, seatIds, reload };
}

function toHeld(reservation: ReservationAnswer): Held {
  return { reservation, endsAt: performance.now() + (reservation.remainingSeconds ?? 0) * 1000 };
}

function ticketsOf({ seats, tickets }: ReservationAnswer): number {
  return tickets.reduce((sum, { quantity }) => sum + quantity, seats.length);
}

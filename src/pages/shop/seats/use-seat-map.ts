/** The live seat map of an event: read once, then updated by the change stream. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../shared/api.ts';
import type { SeatMapAnswer } from '../shared/wire.ts';
import { type Hall, layOutHall } from './seat-map/hall.ts';
import { findDifferences, setSeat } from './seat-map/seat-states.ts';

export interface SeatMap {
  hall: Hall;
  currency: string;
}

const RETRY_MS = 5_000;

/** `onChange` gets the ids of changed seats; another hall layout returns a new value instead. `isLost`: the map may be old. */
export function useSeatMap(
  eventId: string,
  isWanted: boolean,
  onChange: (seatIds: string[]) => void,
): [map: SeatMap | 'none' | undefined, isLost: boolean] {
  const [map, setMap] = useState<SeatMap | 'none'>();
  const [isLost, setLost] = useState(false);
  const listener = useRef(onChange);
  listener.current = onChange;

  useEffect(() => {
    if (!isWanted) return;
    let known: SeatMapAnswer | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changes = new EventSource(`/api/seats/events/${eventId}/changes`);

    const read = async () => {
      const answer = await send<SeatMapAnswer>('GET', `/api/seats/events/${eventId}`);
      if (answer.ok) {
        adopt(answer.value);
        setLost(false);
      } else if (!answer.problem.isTemporary) setMap('none');
      else setLost(true);
      // Without a stream, poll.
      const hasNoStream = changes.readyState === EventSource.CLOSED || !answer.ok;
      if (hasNoStream) {
        clearTimeout(timer);
        timer = setTimeout(read, RETRY_MS);
      }
    };
    const adopt = (fresh: SeatMapAnswer) => {
      const different = known && findDifferences(known.sections, fresh.sections);
      if (known === undefined || different === undefined) {
        known = fresh;
        setMap({ hall: layOutHall(fresh.sections), currency: fresh.currency });
        return;
      }
      for (const [seatId, digit] of different) setSeat(known.sections, seatId, digit);
      listener.current(different.map(([seatId]) => seatId));
    };

    // The stream sends `map` at its start and whenever the whole map may have changed.
    changes.addEventListener('map', read);
    changes.addEventListener('seats', ({ data }) => {
      const states = Object.entries((JSON.parse(data) as { changes: Record<string, string> }).changes);
      for (const [seatId, state] of states) setSeat(known?.sections ?? [], seatId, state === 'free' ? '0' : '1');
      listener.current(states.map(([seatId]) => seatId));
    });
    changes.addEventListener('error', () => {
      // Found out by a read, so that a stream that was only restarted shows no warning.
      if (changes.readyState === EventSource.CONNECTING) void read();
      if (changes.readyState === EventSource.CLOSED) void read();
    });
    return () => {
      clearTimeout(timer);
      changes.close();
    };
  }, [eventId, isWanted]);
  return [map, isLost];
}

/** Seat selection: on the map, from the list, or the best available. */
import { useCallback, useRef, useState } from 'preact/hooks';
import { Loading, Notice } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { fill, money, seatName, texts } from '../shared/words.ts';
import { BestSeats } from './best-seats.tsx';
import { type HoldRequest, holdAndGo } from './hold.ts';
import { Inside } from './inside.tsx';
import { SeatCanvas } from './seat-canvas.tsx';
import { SeatList } from './seat-list.tsx';
import { findSeat } from './seat-map/hall.ts';
import { isFree } from './seat-map/seat-states.ts';
import { type SeatMap, useSeatMap } from './use-seat-map.ts';
import { useSession } from './use-session.ts';

export function SeatsPage({ eventId }: { eventId: string }) {
  const session = useSession(eventId);
  const [event] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  const title = event?.ok ? event.value.title : texts.chooseSeats;
  if (event?.ok && event.value.seats.total === 0) location.replace(`/events/${eventId}/book`);
  return (
    <Inside session={session} eventId={eventId} heading={texts.chooseSeats} title={title}>
      {event?.ok && event.value.standing.length > 0 && (
        <p>
          <a href={`/events/${eventId}/book`}>{texts.toStanding}</a>
        </p>
      )}
      <Chooser eventId={eventId} most={event?.ok ? event.value.maxPerPerson : 1} />
    </Inside>
  );
}

function Chooser({ eventId, most }: { eventId: string; most: number }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const [isList, setList] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [, setVersion] = useState(0);
  const updateCanvas = useRef<(seatIds: string[]) => void>(() => {});
  const onReady = useCallback((update: (seatIds: string[]) => void) => {
    updateCanvas.current = update;
  }, []);

  const map = useSeatMap(eventId, true, (changed) => {
    updateCanvas.current(changed);
    setVersion((version) => version + 1);
    const lost = chosen.filter(
      (id) => changed.includes(id) && map !== undefined && map !== 'none' && !isFreeIn(map, id),
    );
    // During our own request it is this visitor who takes them.
    if (lost.length === 0 || isBusy) return;
    setChosen(chosen.filter((id) => !lost.includes(id)));
    setSaid(fill(texts.takenMeanwhile, { name: lost.map((id) => nameOf(map as SeatMap, id)).join(', ') }));
  });
  if (map === undefined) return <Loading />;
  if (map === 'none') return <Notice tone="warn" text={texts.noEvent} />;

  const choose = (seatId: string) => {
    if (chosen.includes(seatId)) {
      setChosen(chosen.filter((id) => id !== seatId));
      setSaid(`${nameOf(map, seatId)}: ${texts.stateFree}`);
    } else if (!isFreeIn(map, seatId)) setSaid(`${nameOf(map, seatId)}: ${texts.stateTaken}`);
    else if (chosen.length >= most) setSaid(fill(texts.tooMany, { count: most }));
    else {
      setChosen([...chosen, seatId]);
      setSaid(`${nameOf(map, seatId)}: ${texts.stateChosen}`);
    }
  };
  const describe = (seatId: string) => {
    const state = chosen.includes(seatId)
      ? texts.stateChosen
      : isFreeIn(map, seatId)
        ? texts.stateFree
        : texts.stateTaken;
    setSaid(`${nameOf(map, seatId)}, ${money(priceOf(map, seatId), map.currency)}: ${state}`);
  };
  const goOn = async (request: HoldRequest) => {
    setBusy(true);
    const problem = await holdAndGo(request);
    if (problem === undefined) return;
    setBusy(false);
    setSaid(problem);
  };

  return (
    <div class="chooser">
      <div>
        <div class="tabs">
          <button type="button" aria-pressed={!isList} onClick={() => setList(false)}>
            {texts.map}
          </button>
          <button type="button" aria-pressed={isList} onClick={() => setList(true)}>
            {texts.list}
          </button>
        </div>
        {isList ? (
          <SeatList map={map} chosen={chosen} onChoose={choose} />
        ) : (
          <SeatCanvas map={map} chosen={chosen} onChoose={choose} onCursor={describe} onReady={onReady} />
        )}
      </div>
      <aside>
        <section class="choice panel" aria-labelledby="choice-title">
          <h2 id="choice-title">{texts.chosen}</h2>
          <p class="said" role="status">
            {said}
          </p>
          {chosen.length === 0 ? (
            <p class="soft">{texts.nothingChosen}</p>
          ) : (
            <ul>
              {chosen.map((id) => (
                <li key={id}>
                  <span>{nameOf(map, id)}</span>
                  <span class="amount">{money(priceOf(map, id), map.currency)}</span>
                  <button
                    type="button"
                    class="plain"
                    aria-label={fill(texts.remove, { name: nameOf(map, id) })}
                    onClick={() => choose(id)}
                  >
                    ✕
                  </button>
                </li>
              ))}
            </ul>
          )}
          <button
            type="button"
            class="main wide"
            disabled={chosen.length === 0 || isBusy}
            onClick={() => goOn({ eventId, seatIds: [...chosen] })}
          >
            {texts.hold}
            {chosen.length > 0 && ` · ${money(sumOf(map, chosen), map.currency)}`}
          </button>
        </section>
        <BestSeats eventId={eventId} map={map} most={most} isBusy={isBusy} onHold={goOn} />
      </aside>
    </div>
  );
}

function isFreeIn({ hall }: SeatMap, seatId: string): boolean {
  return isFree(
    hall.blocks.map(({ section }) => section),
    seatId,
  );
}

function nameOf({ hall }: SeatMap, seatId: string): string {
  const seat = findSeat(hall, seatId);
  return seat === undefined ? seatId : seatName(seat.block.section.name, seat.row + 1, seat.number + 1);
}

function priceOf({ hall }: SeatMap, seatId: string): number {
  return findSeat(hall, seatId)?.block.section.price ?? 0;
}

function sumOf(map: SeatMap, seatIds: readonly string[]): number {
  return seatIds.reduce((sum, id) => sum + priceOf(map, id), 0);
}

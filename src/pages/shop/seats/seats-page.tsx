/** Seat selection: the best available, on the map, or from the list. */
import type { JSX } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { phaseOf } from '../../../shop/rules/event-phase.ts';
import { Frame, Loading, Notice } from '../shared/frame.tsx';
import { useAnswer, useEvery } from '../shared/use-answer.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';
import { BestSeats } from './best-seats.tsx';
import { HeldBanner } from './held-banner.tsx';
import { type HoldRequest, hold, holdAndGo, whyNot } from './hold.ts';
import { Inside } from './inside.tsx';
import { PayBar } from './pay-bar.tsx';
import { SeatCanvas } from './seat-canvas.tsx';
import { SeatList } from './seat-list.tsx';
import { countFreeIn, isFreeIn, nameOf, priceOf } from './seat-names.ts';
import { type MyHolds, useMyHolds } from './use-my-holds.ts';
import { type SeatMap, useSeatMap } from './use-seat-map.ts';
import { useSession } from './use-session.ts';

const REFRESH_SECONDS = 15;

export function SeatsPage({ eventId }: { eventId: string }) {
  const [event, reload] = useAnswer<EventAnswer>(`/api/events/${eventId}`);
  useEvery(REFRESH_SECONDS, reload);
  if (event?.ok && event.value.seats.total === 0) location.replace(`/events/${eventId}/book`);
  const over = event?.ok ? findOver(event.value) : undefined;
  if (event?.ok && over !== undefined) return <Over event={event.value} text={over} />;
  return <Choosing eventId={eventId} event={event?.ok ? event.value : undefined} />;
}

/** Why nothing can be bought any more; undefined while something can. */
function findOver(event: EventAnswer): string | undefined {
  // The live map knows what is left.
  const phase = phaseOf({ ...event, left: 1 }, Date.now());
  if (phase === 'cancelled') return texts.seatsCancelled;
  return phase === 'ended' ? texts.seatsEnded : undefined;
}

function Over({ event: { eventId, title }, text }: { event: EventAnswer; text: string }) {
  return (
    <Frame title={title}>
      <h1>{title}</h1>
      <p class="banner warning" role="status">
        {text}
      </p>
      <ToEvent eventId={eventId} />
    </Frame>
  );
}

function ToEvent({ eventId }: { eventId: string }) {
  return (
    <p>
      <a class="button" href={`/events/${eventId}`}>
        {texts.seeEvent}
      </a>
    </p>
  );
}

function Choosing({ eventId, event }: { eventId: string; event: EventAnswer | undefined }) {
  const session = useSession(eventId);
  const mine = useMyHolds(eventId);
  return (
    <Inside session={session} eventId={eventId} heading={texts.chooseSeats} title={event?.title ?? texts.chooseSeats}>
      <p class="other-tickets">
        {event !== undefined && event.standing.length > 0 && <a href={`/events/${eventId}/book`}>{texts.toStanding}</a>}
      </p>
      <Chooser eventId={eventId} limit={event?.maxPerPerson ?? 1} mine={mine} />
    </Inside>
  );
}

function Chooser({ eventId, limit, mine }: { eventId: string; limit: number; mine: MyHolds }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [, setVersion] = useState(0);
  const updateCanvas = useRef<(seatIds: string[]) => void>(() => {});

  const [map, isLost] = useSeatMap(eventId, true, (changed) => {
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
  const most = Math.max(0, limit - mine.count);
  const goOn = async (request: HoldRequest) => {
    setBusy(true);
    const problem = await holdAndGo(request);
    if (problem === undefined) return;
    setBusy(false);
    setSaid(problem);
  };
  /** Holds them and shows them on the map; the banner leads on to the payment. */
  const findBest = async (request: HoldRequest) => {
    setBusy(true);
    setChosen([]);
    const answer = await hold(request);
    await mine.reload();
    setBusy(false);
    if (!answer.ok) return setSaid(whyNot(answer.problem, request));
    setSaid(fill(texts.bestFound, { names: answer.value.seats.map(({ seatId }) => named(seatId)).join(', ') }));
  };
  const named = (seatId: string) => (map === undefined || map === 'none' ? seatId : nameOf(map, seatId));
  const choose = (seatId: string) => {
    if (map === undefined || map === 'none') return;
    const isChosen = chosen.includes(seatId);
    if (isChosen) setChosen(chosen.filter((id) => id !== seatId));
    else if (isFreeIn(map, seatId) && chosen.length >= most) return setSaid(fill(texts.tooMany, { count: limit }));
    else if (isFreeIn(map, seatId)) setChosen([...chosen, seatId]);
    const state = isChosen ? texts.stateFree : isFreeIn(map, seatId) ? texts.stateChosen : stateOf(map, seatId);
    setSaid(`${named(seatId)}: ${state}`);
  };
  const stateOf = (known: SeatMap, seatId: string) => {
    if (mine.seatIds.includes(seatId)) return texts.stateMine;
    if (chosen.includes(seatId)) return texts.stateChosen;
    return isFreeIn(known, seatId) ? texts.stateFree : texts.stateTaken;
  };
  const banners = <Banners isLost={isLost} mine={mine} onRelease={() => setSaid(texts.released)} />;
  if (map === undefined) return isLost ? banners : <Loading />;
  if (map === 'none') return <Notice tone="warn" text={texts.noEvent} />;
  if (countFreeIn(map) === 0 && mine.held.length === 0) return <SoldOut eventId={eventId} banners={banners} />;
  return (
    <div class="seats">
      {banners}
      <div class="chooser">
        {most > 0 && <BestSeats eventId={eventId} map={map} most={most} isBusy={isBusy} onHold={findBest} />}
        <MapOrList
          map={map}
          chosen={chosen}
          mine={mine.seatIds}
          onChoose={choose}
          onCursor={(id) => setSaid(`${named(id)}, ${money(priceOf(map, id), map.currency)}: ${stateOf(map, id)}`)}
          onReady={(update) => {
            updateCanvas.current = update;
          }}
        />
        <PayBar
          map={map}
          chosen={chosen}
          said={said}
          isBusy={isBusy}
          onRemove={choose}
          onHold={() => goOn({ eventId, seatIds: [...chosen] })}
        />
      </div>
    </div>
  );
}

function SoldOut({ eventId, banners }: { eventId: string; banners: JSX.Element }) {
  return (
    <>
      {banners}
      <p class="banner" role="status">
        {texts.seatsSoldOut}
      </p>
      <ToEvent eventId={eventId} />
    </>
  );
}

function Banners({ isLost, mine, onRelease }: { isLost: boolean; mine: MyHolds; onRelease: () => void }) {
  const { held, reload } = mine;
  const onOver = useCallback(() => void reload(), [reload]);
  const release = () => {
    onRelease();
    void reload();
  };
  return (
    <>
      {isLost && (
        <p class="banner warning" role="status">
          {texts.reconnecting}
        </p>
      )}
      {held.map((one) => (
        <HeldBanner key={one.reservation.reservationId} held={one} onOver={onOver} onRelease={release} />
      ))}
    </>
  );
}

interface MapOrListProps {
  map: SeatMap;
  chosen: readonly string[];
  mine: readonly string[];
  onChoose: (seatId: string) => void;
  onCursor: (seatId: string) => void;
  onReady: (update: (seatIds: string[]) => void) => void;
}

function MapOrList({ map, chosen, mine, onChoose, onCursor, onReady }: MapOrListProps) {
  const [isList, setList] = useState(false);
  return (
    <div>
      <div class="map-tabs">
        <button type="button" aria-pressed={!isList} onClick={() => setList(false)}>
          {texts.map}
        </button>
        <button type="button" aria-pressed={isList} onClick={() => setList(true)}>
          {texts.list}
        </button>
      </div>
      {isList ? (
        <SeatList map={map} chosen={chosen} mine={mine} onChoose={onChoose} />
      ) : (
        <SeatCanvas map={map} chosen={chosen} mine={mine} onChoose={onChoose} onCursor={onCursor} onReady={onReady} />
      )}
    </div>
  );
}

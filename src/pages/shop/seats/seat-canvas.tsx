/** The seat map as a component: canvas, zoom buttons, legend. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill, money, texts } from '../shared/words.ts';
import { MapView } from './seat-map/map-view.ts';
import { pricesOf } from './seat-map/painter.ts';
import type { SeatMap } from './use-seat-map.ts';

export interface SeatCanvasProps {
  map: SeatMap;
  chosen: readonly string[];
  /** Held by this visitor. */
  mine: readonly string[];
  onChoose: (seatId: string) => void;
  onCursor: (seatId: string) => void;
  /** Receives the function that redraws changed seats. */
  onReady: (update: (seatIds: string[]) => void) => void;
}

export function SeatCanvas({ map, chosen, mine, onChoose, onCursor, onReady }: SeatCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<MapView>();
  const [sectionId, setSectionId] = useState<string>();
  const handlers = useRef({ onChoose, onCursor, onReady });
  handlers.current = { onChoose, onCursor, onReady };

  useEffect(() => {
    const created = new MapView({
      canvas: canvas.current!,
      hall: map.hall,
      stage: texts.stage,
      priceOf: ({ price }) => money(price, map.currency),
      onChoose: (seatId) => handlers.current.onChoose(seatId),
      onCursor: (seatId) => handlers.current.onCursor(seatId),
      onSection: setSectionId,
    });
    handlers.current.onReady((seatIds) => created.update(seatIds));
    setView(created);
    return () => created.stop();
  }, [map]);
  useEffect(() => view?.choose(chosen), [view, chosen]);
  const held = mine.join();
  useEffect(() => {
    const seatIds = held === '' ? [] : held.split(',');
    view?.own(seatIds);
    view?.show(seatIds);
  }, [view, held]);
  const section = map.hall.blocks.find((block) => block.section.id === sectionId)?.section;

  return (
    <div class="map">
      {section !== undefined && (
        <div class="map-section">
          <strong>{section.name}</strong> <span>{money(section.price, map.currency)}</span>
          {section.view !== undefined && <SectionView name={section.name} view={section.view} />}
        </div>
      )}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it handles keys itself, so screen readers must pass them through. */}
      <canvas
        ref={canvas}
        style={{ aspectRatio: map.hall.width / map.hall.height }}
        tabIndex={0}
        role="application"
        aria-label={texts.mapLabel}
      />
      <div class="map-foot">
        {view !== undefined && <Legend map={map} view={view} />}
        <div class="map-buttons">
          <button type="button" aria-label={texts.zoomIn} onClick={() => view?.zoomBy(1)}>
            +
          </button>
          <button type="button" aria-label={texts.zoomOut} onClick={() => view?.zoomBy(-1)}>
            −
          </button>
          <button type="button" aria-label={texts.fit} onClick={() => view?.fit()}>
            ⤢
          </button>
        </div>
      </div>
    </div>
  );
}

/** The picture that the venue gives of the view from the section. */
function SectionView({ name, view }: { name: string; view: string }) {
  const label = fill(texts.viewFrom, { section: name });
  return (
    <details>
      <summary>{label}</summary>
      <img src={view} alt={label} loading="lazy" />
    </details>
  );
}

function Legend({ map: { hall, currency }, view }: { map: SeatMap; view: MapView }) {
  const prices = pricesOf(hall);
  const hasAccess = hall.blocks.some(({ access }) => access.size > 0);
  return (
    <ul class="legend">
      {prices.map((price) => (
        <li key={price}>
          <span class={`swatch form-${view.tierOf(price)}`} style={{ background: view.inkOf(price) }} />
          {money(price, currency)}
        </li>
      ))}
      <li>
        <span class="swatch taken" />
        {texts.legendTaken}
      </li>
      <li>
        <span class="swatch chosen" />
        {texts.legendChosen}
      </li>
      <li>
        <span class="swatch mine" />
        {texts.legendMine}
      </li>
      {hasAccess && <li>♿︎ {texts.legendAccess}</li>}
    </ul>
  );
}

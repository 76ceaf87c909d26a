/** The seat map as a component: canvas, zoom buttons, legend. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { money, texts } from '../shared/words.ts';
import { MapView } from './seat-map/map-view.ts';
import type { SeatMap } from './use-seat-map.ts';

export interface SeatCanvasProps {
  map: SeatMap;
  chosen: readonly string[];
  onChoose: (seatId: string) => void;
  onCursor: (seatId: string) => void;
  /** Receives the function that redraws changed seats. */
  onReady: (update: (seatIds: string[]) => void) => void;
}

export function SeatCanvas({ map, chosen, onChoose, onCursor, onReady }: SeatCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<MapView>();
  const handlers = useRef({ onChoose, onCursor });
  handlers.current = { onChoose, onCursor };

  useEffect(() => {
    const created = new MapView({
      canvas: canvas.current!,
      hall: map.hall,
      stage: texts.stage,
      priceOf: ({ price }) => money(price, map.currency),
      onChoose: (seatId) => handlers.current.onChoose(seatId),
      onCursor: (seatId) => handlers.current.onCursor(seatId),
    });
    onReady((seatIds) => created.update(seatIds));
    setView(created);
    return () => created.stop();
  }, [map, onReady]);
  useEffect(() => view?.choose(chosen), [view, chosen]);

  return (
    <div class="map">
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

function Legend({ map: { hall, currency }, view }: { map: SeatMap; view: MapView }) {
  const prices = [...new Set(hall.blocks.map(({ section }) => section.price))].sort((a, b) => b - a);
  return (
    <ul class="legend">
      {prices.map((price) => (
        <li key={price}>
          <span class="swatch" style={{ background: view.inkOf(price) }} />
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
    </ul>
  );
}

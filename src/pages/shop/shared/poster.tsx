/** The poster of an event: portrait, 3 to 4. Decoration only: title, artist and date stand beside it as text. */

import { type PosterSize, posterUrl } from './poster-url.ts';
import type { EventAnswer } from './wire.ts';

/** Pixels of the file, so that the browser reserves the space before it arrives. */
const SIZES = { card: { width: 480, height: 640 }, large: { width: 960, height: 1280 } } as const;

interface PosterProps {
  event: Pick<EventAnswer, 'eventId'>;
  size: Exclude<PosterSize, 'og'>;
}

export function Poster({ event, size }: PosterProps) {
  const { width, height } = SIZES[size];
  return (
    <img
      class={`poster-image poster-${size}`}
      src={posterUrl(event.eventId, size)}
      alt=""
      width={width}
      height={height}
      loading={size === 'card' ? 'lazy' : 'eager'}
      decoding="async"
    />
  );
}

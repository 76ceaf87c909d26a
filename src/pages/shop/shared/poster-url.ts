/** Where the poster of an event is. The server answers with the uploaded image, the image of the event, or a generated one. */

/** `card` for lists, `large` beside one event, `og` for previews of links on other sites. */
export type PosterSize = 'card' | 'large' | 'og';

/** With the version of the poster the URL changes with the image, and caches may keep it for good. */
export function posterUrl(eventId: string, size: PosterSize, version?: string | null): string {
  const query = new URLSearchParams({ size, ...(version ? { v: version } : {}) });
  return `/posters/${encodeURIComponent(eventId)}?${query}`;
}

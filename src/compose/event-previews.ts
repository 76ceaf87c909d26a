/** What the page of an event says in its head about the event, for links on other sites. */
import type { FastifyRequest } from 'fastify';
import type { SharedReads } from '../http/shared-reads.ts';
import type { EventPreview } from '../pages/serve/event-preview.ts';
import type { Selling } from './open-shop.ts';

export function createFindPreview(
  { events, posters }: Pick<Selling, 'events' | 'posters'>,
  reads: SharedReads,
  publicUrl: string,
) {
  return async (eventId: string, request: FastifyRequest): Promise<EventPreview | undefined> => {
    try {
      const event = await reads.read(`event ${eventId}`, request, () => events.findEvent(eventId));
      if (event === undefined || event.state === 'draft') return undefined;
      const version = await reads.read(`poster ${eventId}`, request, () => posters.findVersion(eventId));
      const origin = originOf(request, publicUrl);
      const { title, artist, venue, description } = event;
      const image = `${origin}/posters/${eventId}?size=og${version === undefined ? '' : `&v=${version}`}`;
      return { title, artist, venue, description, url: `${origin}/events/${eventId}`, image };
    } catch {
      // The page itself needs no database, and its visitor no preview.
      return undefined;
    }
  };
}

/** The configured origin if the browser is there: a proxy may end TLS without telling. */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string): string {
  const configured = new URL(publicUrl);
  return configured.host === host ? configured.origin : new URL(`${protocol}://${host}`).origin;
}

/** How long caches keep a page, how its forms are parsed, and who wants a page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** For pages that are identical for every visitor. Their assets have versioned URLs, so a cached page keeps working. */
export const PAGE_CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** Our forms put everything into their URL; the body they send is empty and is ignored. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
}

/** Whether a browser shows the response to somebody; an API client wants JSON. */
export function acceptsHtml({ headers }: FastifyRequest): boolean {
  return String(headers.accept ?? '').includes('text/html');
}

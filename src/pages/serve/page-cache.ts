/** How long pages are kept by whom, and what the forms on them send. */
import type { FastifyInstance } from 'fastify';

/** A page that is the same for everybody. Its files have names of their own, so an old page goes on working. */
export const PAGE_CACHE = 'public, max-age=60, stale-while-revalidate=86400';

/** Our forms say what they want in their address and send nothing, in the way forms send it. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
    payload.resume();
    done(null, undefined);
  });
}

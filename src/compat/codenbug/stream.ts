/** The broker's stream, under its prefix. */
import { type Forwarding, isSuccess, type Translation } from '../../http/translation.ts';

export const streamTranslations: readonly (Translation | Forwarding)[] = [
  {
    method: 'GET',
    path: '/api/broker/events/:eventId/tickets/waiting',
    forward: ({ params, query }) => {
      query.set('format', 'message');
      return `/events/${params.eventId}/tickets/waiting?${query}`;
    },
  },
  {
    method: 'POST',
    path: '/api/broker/events/:eventId/tickets/disconnect',
    answer: async ({ params }, ask) => {
      const answer = await ask('DELETE', `/events/${params.eventId}/tickets/waiting`);
      return isSuccess(answer) ? { ...answer, body: undefined } : answer;
    },
  },
];

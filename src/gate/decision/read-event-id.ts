/** Which event a request names, as its rule says. */
import type { Match } from './match-rule.ts';
import { type QueryField, readQueryField } from './query-fields.ts';
import { EVENT_ID } from './rule-syntax.ts';

/** `eventId` is undefined if only the token names the event. */
export type NamedEvent = { outcome: 'known'; eventId: string | undefined } | { outcome: 'wrong'; message: string };

export function readEventId({ rule, eventId }: Match, query: string): NamedEvent {
  const { event } = rule;
  if (event.from === 'fixed') return { outcome: 'known', eventId: event.eventId };
  if (event.from === 'token') return { outcome: 'known', eventId: undefined };
  const name = event.from === 'query' ? event.field : 'eventId';
  const field: QueryField =
    event.from === 'query' ? readQueryField(query, name) : { found: 'one', value: eventId ?? '' };
  if (field.found === 'one' && EVENT_ID.test(field.value)) return { outcome: 'known', eventId: field.value };
  return { outcome: 'wrong', message: `${name} ${problems[field.found]}` };
}

const WANTED = 'must be 1 to 64 letters, digits, _ or -';
const problems: Record<QueryField['found'], string> = {
  one: WANTED,
  none: WANTED,
  many: 'must be given once, in this spelling',
  unclear: 'must be in a query that is valid percent-encoded UTF-8',
};

/** Tickets of someone without the buyer's session: by a shared link, or by booking code and email. */
import { EventFacts } from '../shared/event-facts.tsx';
import type { TicketAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { EntryTicket } from './ticket/entry-ticket.tsx';
import { TicketTools } from './ticket/ticket-tools.tsx';
import { PrintedHead } from './ticket-page.tsx';

export function FoundTicket({ ticket: { event, entries } }: { ticket: TicketAnswer }) {
  return (
    <article class="ticket stack">
      <h1>{event.title}</h1>
      <div class="two-columns">
        <aside class="card stack booking-facts">
          <EventFacts event={event} />
          <TicketTools event={event} uid={`${event.eventId}-${entries[0]?.entry ?? 0}`} />
        </aside>
        <ul class="entries" aria-label={texts.ticketsOf}>
          {entries.map((entry) => (
            <EntryTicket
              key={entry.entry}
              entry={entry}
              total={entries.length}
              printed={<PrintedHead event={event} />}
            />
          ))}
        </ul>
      </div>
    </article>
  );
}

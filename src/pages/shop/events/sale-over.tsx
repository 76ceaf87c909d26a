/** For pages inside: says that nothing can be bought any more, with the way back to the event. Else shows its children. */
import type { ComponentChildren } from 'preact';
import type { EventAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { Banner } from './event-action.tsx';
import { usePhase } from './use-phase.ts';

export function WhileOnSale({ event, children }: { event: EventAnswer; children: ComponentChildren }) {
  const phase = usePhase(event);
  if (phase !== 'ended' && phase !== 'cancelled' && phase !== 'sold-out') return <>{children}</>;
  const text = { ended: texts.endedEvent, cancelled: texts.cancelledEvent, 'sold-out': texts.soldOutNoList }[phase];
  return (
    <div class="stack">
      <Banner tone={phase === 'cancelled' ? 'danger' : 'warning'} text={text} />
      <p>
        <a class="button" href={`/events/${event.eventId}`}>
          {texts.backToEvent}
        </a>
      </p>
    </div>
  );
}

/** What a visitor can do with an event now: one clear button, or why there is none. */
import type { EventPhase } from '../../../shop/rules/event-phase.ts';
import type { EventAnswer } from '../shared/wire.ts';
import { texts } from '../shared/words.ts';
import { SaleCountdown } from './sale-countdown.tsx';

interface EventActionProps {
  event: EventAnswer;
  phase: EventPhase;
  /** Whether other visitors offer tickets of it. */
  hasOffers: boolean;
}

export function EventAction({ event, phase, hasOffers }: EventActionProps) {
  switch (phase) {
    case 'announced':
    case 'presale':
      return (
        <>
          <SaleCountdown event={event} />
          {phase === 'presale' && <p class="soft">{texts.presaleNow}</p>}
          <ToLine event={event} label={phase === 'presale' ? texts.getTickets : texts.waitForSale} />
        </>
      );
    case 'paused':
      return (
        <>
          <Banner tone="warning" text={texts.pausedEvent} />
          <ToLine event={event} label={texts.toLine} />
        </>
      );
    case 'sold-out':
      return (
        <>
          <Banner tone="warning" text={event.waitingList ? texts.soldOutEvent : texts.soldOutNoList} />
          {hasOffers && (
            <a class="button main wide" href="#offers-title">
              {texts.seeResale}
            </a>
          )}
          {event.waitingList && <ToLine event={event} label={texts.joinWaitingList} isMain={!hasOffers} />}
        </>
      );
    case 'ended':
      return <Banner tone="" text={texts.endedEvent} />;
    case 'cancelled':
      return <Banner tone="danger" text={texts.cancelledEvent} />;
    default:
      return <ToLine event={event} label={texts.getTickets} />;
  }
}

function ToLine({ event, label, isMain = true }: { event: EventAnswer; label: string; isMain?: boolean }) {
  return (
    <a class={`button wide large ${isMain ? 'main' : ''}`} href={`/queue/${event.eventId}`}>
      {label}
    </a>
  );
}

export function Banner({ tone, text }: { tone: '' | 'warning' | 'danger'; text: string }) {
  return (
    <p class={`banner ${tone}`} role="status">
      <span>{text}</span>
    </p>
  );
}

/** What is bought, always in view: beside the form at a desk, folded above it on a phone. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EventFacts } from '../shared/event-facts.tsx';
import type { EventAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

export interface OrderSummaryProps {
  /** undefined while it loads. */
  event: EventAnswer | undefined;
  tickets: number;
  amount: number;
  currency: string;
  children: ComponentChildren;
}

const DESK = '(min-width: 52rem)';

export function OrderSummary({ event, tickets, amount, currency, children }: OrderSummaryProps) {
  const isDesk = useMedia(DESK);
  return (
    <details class="card order" open={isDesk}>
      <summary>
        <span class="order-title">{event?.title ?? texts.summary}</span>
        <span class="order-line">
          <span class="soft">{tickets === 1 ? texts.itemOne : fill(texts.itemCount, { count: tickets })}</span>
          <strong class="amount">{money(amount, currency)}</strong>
        </span>
      </summary>
      <div class="stack">
        {event !== undefined && <EventFacts event={event} />}
        {children}
      </div>
    </details>
  );
}

function useMedia(query: string): boolean {
  const [isMatch, setMatch] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatch(list.matches);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return isMatch;
}

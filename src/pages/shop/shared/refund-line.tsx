/** The refund deadline in words. */
import { eventTimeText } from './event-time.tsx';
import type { EventAnswer, ReservationAnswer } from './wire.ts';
import { fill, texts } from './words.ts';

export interface RefundLineProps {
  reservation: Pick<ReservationAnswer, 'refundUntil'>;
  /** undefined while it loads. */
  event: EventAnswer | undefined;
}

export function RefundLine({ reservation: { refundUntil }, event }: RefundLineProps) {
  if (refundUntil === undefined || event === undefined) return null;
  const isOver = Date.parse(refundUntil) <= Date.now();
  const text = isOver ? texts.refundOver : fill(texts.refundUntil, { time: eventTimeText(refundUntil, event) });
  return <p class="soft small">{text}</p>;
}

/** The time until the next sale of an event opens. */
import { useEffect, useState } from 'preact/hooks';
import type { EventAnswer } from '../shared/wire.ts';
import { fill, texts } from '../shared/words.ts';
import { saleTimesOf } from './event-facts.ts';

export function SaleCountdown({ event }: { event: EventAnswer }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { members, all } = saleTimesOf(event, now);
  const next = members ?? all;
  if (next === undefined) return null;
  return (
    <p class="sale-countdown" role="timer" aria-live="off">
      <span class="soft">{members === undefined ? texts.untilSale : texts.untilPresale}</span>
      <strong class="number">{sayLeft(Date.parse(next) - now)}</strong>
    </p>
  );
}

function sayLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400];
  const clock = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60, rest % 60];
  const shown = clock.map((part) => String(part).padStart(2, '0')).join(':');
  return days === 0 ? shown : fill(texts.daysAnd, { days, clock: shown });
}

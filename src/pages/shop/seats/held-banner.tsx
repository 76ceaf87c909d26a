/** The way back to the payment of what the visitor holds already. */
import { useEffect, useState } from 'preact/hooks';
import { formatCountdown } from '../../texts/format.ts';
import { send } from '../shared/api.ts';
import { nameItems } from '../shared/reservation-items.tsx';
import { useCountdown } from '../shared/use-answer.ts';
import { fill, texts } from '../shared/words.ts';
import type { Held } from './use-my-holds.ts';

export interface HeldBannerProps {
  held: Held;
  onOver: () => void;
  onRelease: () => void;
}

export function HeldBanner({ held: { reservation, endsAt }, onOver, onRelease }: HeldBannerProps) {
  const [isBusy, setBusy] = useState(false);
  const left = useCountdown(endsAt) ?? 0;
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  const release = async () => {
    setBusy(true);
    await send('POST', `/api/reservations/${reservation.reservationId}/cancel`);
    setBusy(false);
    onRelease();
  };
  return (
    <section class="banner held" aria-label={texts.legendMine}>
      <div>
        <p>{fill(texts.holding, { names: nameItems(reservation).join(', ') })}</p>
        <p class="clock">{fill(texts.holdingLeft, { time: formatCountdown(left) })}</p>
        <div class="row">
          <a class="button main" href={`/checkout/${reservation.reservationId}`}>
            {texts.continuePay}
          </a>
          <button type="button" disabled={isBusy} onClick={release}>
            {texts.releaseHeld}
          </button>
        </div>
      </div>
    </section>
  );
}

/** The way back to paying, while a hold lasts. */
import { formatCountdown } from '../../texts/format.ts';
import { Banner } from '../shared/banner.tsx';
import { useHold } from '../shared/use-hold.ts';
import type { ReservationAnswer } from '../shared/wire.ts';
import { fill, texts } from '../shared/words.ts';

export function HoldBanner({ reservation, title }: { reservation: ReservationAnswer; title: string }) {
  const left = useHold(reservation);
  if (left === 0) return null;
  return (
    <Banner tone="warning">
      <strong>{texts.holdAlive}</strong>
      {/* Not read out with each second. */}
      <p aria-live="off">{fill(texts.holdAliveText, { time: formatCountdown(left), title })}</p>
      <p>
        <a class="button main" href={`/checkout/${reservation.reservationId}`}>
          {texts.holdContinue}
        </a>
      </p>
    </Banner>
  );
}

/** Offers the visitor's tickets to others, at face value or less. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { unitOf } from '../../texts/format.ts';
import { send } from '../shared/api.ts';
import type { Tone } from '../shared/banner.tsx';
import type { ReservationAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

export interface OfferButtonProps {
  reservation: ReservationAnswer;
  onDone: (text: string, tone: Tone) => void;
}

export function OfferButton({ reservation, onDone }: OfferButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const answer = async (price: number | undefined) => {
    setAsking(false);
    if (price === undefined) return;
    const done = await send('POST', '/api/transfers', { reservationId: reservation.reservationId, price });
    if (done.ok) onDone(texts.offered, 'success');
    else onDone(done.problem.code === 'OFFLINE' ? texts.reasonOther : texts.offerFailed, 'danger');
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {texts.offer}
      </button>
      {isAsking && <OfferDialog reservation={reservation} onAnswer={answer} />}
    </>
  );
}

interface OfferDialogProps {
  reservation: ReservationAnswer;
  /** The price in the smallest unit of the currency; undefined if dismissed. */
  onAnswer: (price: number | undefined) => void;
}

function OfferDialog({ reservation: { amount, currency }, onAnswer }: OfferDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const unit = unitOf(currency);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const price = new FormData(event.currentTarget as HTMLFormElement).get('price');
    onAnswer(Math.round(Number(price) * unit));
  };
  return (
    <dialog ref={dialog} aria-labelledby="offer-title" onClose={() => onAnswer(undefined)}>
      <form class="stack" onSubmit={submit}>
        <h2 id="offer-title">{texts.offerTitle}</h2>
        <p>{texts.offerText}</p>
        <label>
          {fill(texts.offerPrice, { currency })}
          <input
            type="number"
            name="price"
            inputMode="decimal"
            required
            min={0}
            max={amount / unit}
            step={1 / unit}
            defaultValue={String(amount / unit)}
            aria-describedby="offer-most"
          />
        </label>
        <p id="offer-most" class="soft small">
          {fill(texts.offerMost, { amount: money(amount, currency) })}
        </p>
        <div class="actions">
          <button type="submit" class="main">
            {texts.offerYes}
          </button>
          <button type="button" onClick={() => onAnswer(undefined)}>
            {texts.cancelNo}
          </button>
        </div>
      </form>
    </dialog>
  );
}

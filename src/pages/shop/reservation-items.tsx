/** What a reservation is for, and how it stands. */
import type { ReservationAnswer } from './wire.ts';
import { fill, money, texts } from './words.ts';

export function ReservationItems({ reservation }: { reservation: ReservationAnswer }) {
  const { seats, tickets, amount, currency } = reservation;
  return (
    <ul class="items">
      {seats.map(({ seatId, section, row, number, price }) => (
        <li key={seatId}>
          <span>{fill(texts.seatOf, { section, row, number })}</span>
          <span class="amount">{money(price, currency)}</span>
        </li>
      ))}
      {tickets.map(({ typeId, name, quantity, price }) => (
        <li key={typeId}>
          <span>{fill(texts.itemStanding, { count: quantity, name })}</span>
          <span class="amount">{money(price * quantity, currency)}</span>
        </li>
      ))}
      <li class="sum">
        <span>{texts.total}</span>
        <span class="amount">{money(amount, currency)}</span>
      </li>
    </ul>
  );
}

export function statusOf({ status }: ReservationAnswer): string {
  return {
    held: texts.statusHeld,
    confirmed: texts.statusConfirmed,
    expired: texts.statusExpired,
    cancelled: texts.statusCancelled,
  }[status];
}

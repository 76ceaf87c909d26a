/** The items and the status of a reservation. */
import type { ReservationAnswer } from './wire.ts';
import { fill, money, texts } from './words.ts';

type Seat = ReservationAnswer['seats'][number];
type Items = Pick<ReservationAnswer, 'seats' | 'tickets' | 'currency'>;

export function ReservationItems({ reservation }: { reservation: ReservationAnswer }) {
  return <ItemList items={reservation} sum={reservation.amount} />;
}

/** `sum`: the total, which the seller of a transfer may set below the original prices. */
export function ItemList({ items, sum }: { items: Items; sum: number }) {
  const { seats, tickets, currency } = items;
  return (
    <ul class="items">
      {seats.map((seat) => (
        <li key={seat.seatId}>
          <span>{nameSeat(seat)}</span>
          <span class="amount">{money(seat.price, currency)}</span>
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
        <span class="amount">{money(sum, currency)}</span>
      </li>
    </ul>
  );
}

export function nameSeat({ section, row, number }: Pick<Seat, 'section' | 'row' | 'number'>): string {
  return fill(texts.seatOf, { section, row, number });
}

/** How many people the items admit. */
export function countTickets({ seats, tickets }: Pick<Items, 'seats' | 'tickets'>): number {
  return tickets.reduce((sum, { quantity }) => sum + quantity, seats.length);
}

/** One name per item. */
export function nameItems({ seats, tickets }: Pick<Items, 'seats' | 'tickets'>): string[] {
  return [
    ...seats.map(nameSeat),
    ...tickets.map(({ quantity, name }) => fill(texts.itemStanding, { count: quantity, name })),
  ];
}

/** The status as a badge. */
export function StatusBadge({ reservation }: { reservation: ReservationAnswer }) {
  const tone = { held: 'warning', confirmed: 'success', expired: 'neutral', cancelled: 'neutral' }[reservation.status];
  return <span class={`badge ${tone}`}>{statusOf(reservation)}</span>;
}

function statusOf({ status }: ReservationAnswer): string {
  return {
    held: texts.statusHeld,
    confirmed: texts.statusConfirmed,
    expired: texts.statusExpired,
    cancelled: texts.statusCancelled,
  }[status];
}

/** Completed transfers, as seller or buyer. */
import { nameItems } from '../shared/reservation-items.tsx';
import type { TransferAnswer } from '../shared/wire.ts';
import { fill, money, texts } from '../shared/words.ts';

export interface MyTransfersProps {
  transfers: readonly TransferAnswer[];
  titleOf: (eventId: string) => string;
}

export function MyTransfers({ transfers, titleOf }: MyTransfersProps) {
  const done = transfers.filter(({ status }) => status === 'completed');
  if (done.length === 0) return null;
  return (
    <section aria-labelledby="transfers-title">
      <h2 id="transfers-title">{texts.transfers}</h2>
      <ul class="card transfers">
        {done.map((transfer) => (
          <li key={transfer.transferId}>
            <span>{[titleOf(transfer.eventId), ...nameItems(transfer)].join(' · ')}</span>
            <span class="badge neutral">
              {fill(transfer.role === 'seller' ? texts.soldFor : texts.boughtFor, {
                amount: money(transfer.price, transfer.currency),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

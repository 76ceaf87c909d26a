/** The changes of a transfer in the transaction of its payment, of the payment's record, or of a cancellation. */
import { sql } from 'kysely';
import type { Transaction } from '../../platform/database/database.ts';
import type { Append } from '../../records/append.ts';
import type { Excess, Payable, PayableChanges } from '../../shop/payables.ts';
import type { Transfer } from '../transfer-store.ts';
import { withdraw } from './postgres-transfer-store.ts';
import * as statements from './transfer-statements.ts';

export interface TransferChanges extends PayableChanges {
  /** Hands the transfer over; undefined if it was not paid. */
  complete(tx: Transaction, transferId: string, now: Date): Promise<Transfer | undefined>;
  /** Withdraws the listing of a cancelled reservation. */
  withdrawListing(tx: Transaction, reservationId: string, now: Date): Promise<void>;
}

const STATES = { listed: 'held', paid: 'confirmed', completed: 'confirmed', cancelled: 'cancelled' } as const;

export interface TransferChangesOptions {
  reservations: Pick<PayableChanges, 'cancel'>;
  append: Append;
  /** How long one buyer can reserve a transfer at most, over several attempts to pay. */
  longestHoldMs: number;
}

export function createTransferChanges(options: TransferChangesOptions): TransferChanges {
  const { reservations, append, longestHoldMs } = options;
  return {
    async find(tx, id, payer): Promise<Payable | undefined> {
      const transfer = await statements.findTransfer(tx, id);
      if (transfer === undefined || transfer.seller === payer) return undefined;
      const { reservationId, eventId, price: amount, currency, state } = transfer;
      return { visitor: payer, admission: null, reservationId, eventId, amount, currency, state: STATES[state] };
    },
    async excess(tx, id, now, payer) {
      const { rows } = await sql<{ excess: Excess | null }>`
        select transfer_excess(${id}, ${payer}, ${now}) as excess`.execute(tx);
      return rows[0]!.excess ?? undefined;
    },
    async keep(tx, id, { payer, now, until }) {
      const { rows } = await sql<{ ok: boolean }>`
        select keep_transfer(${id}, ${payer}, ${now}, ${until}, ${longestHoldMs} * interval '1 millisecond') as ok
      `.execute(tx);
      return { outcome: rows[0]!.ok ? 'kept' : 'ended' };
    },
    async confirm(tx, id, now, payer) {
      const { rows } = await sql<{ ok: boolean }>`select pay_transfer(${id}, ${payer}, ${now}) as ok`.execute(tx);
      return rows[0]!.ok;
    },
    async cancel(tx, id, now) {
      const transfer = await statements.findTransfer(tx, id);
      if (transfer?.state === 'completed') return reservations.cancel(tx, transfer.reservationId, now);
      if (transfer?.state === 'paid') await statements.setState(tx, id, 'listed');
      return transfer?.state === 'paid';
    },
    async complete(tx, id, now) {
      const { rows } = await sql<{ ok: boolean }>`select complete_transfer(${id}, ${now}) as ok`.execute(tx);
      return rows[0]!.ok ? statements.findTransfer(tx, id) : undefined;
    },
    async withdrawListing(tx, reservationId, now) {
      const transfer = await statements.findLive(tx, reservationId);
      if (transfer?.state === 'listed') await withdraw(tx, transfer, append, now);
    },
  };
}

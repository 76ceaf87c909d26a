/** Transfers in PostgreSQL. Lock order: payments, reservation, transfer. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Append } from '../../records/append.ts';
import type { CancelTransferOutcome, ListOutcome, Transfer, TransferStore } from '../transfer-store.ts';
import * as statements from './transfer-statements.ts';

export interface PostgresTransferStoreOptions {
  database: LazyDatabase;
  append: Append;
  clock: Clock;
}

export class PostgresTransferStore implements TransferStore {
  readonly #options: PostgresTransferStoreOptions;

  constructor(options: PostgresTransferStoreOptions) {
    this.#options = options;
  }

  async list(reservationId: string, seller: string, price: number): Promise<ListOutcome> {
    return this.#decide(async (tx, now): Promise<ListOutcome> => {
      const found = await statements.lockListable(tx, reservationId, now);
      if (found?.visitor !== seller) return { outcome: 'no-reservation' };
      const known = await statements.findLive(tx, reservationId);
      if (known !== undefined && known.price === price) return { outcome: 'already', transfer: known };
      if (!found.isTransferable || known !== undefined) return { outcome: 'not-transferable' };
      if (price > found.amount) return { outcome: 'too-dear', most: found.amount };
      const transferId = `t_${randomBytes(12).toString('base64url')}`;
      const { eventId, currency, items } = found;
      const transfer: Transfer = {
        ...{ transferId, reservationId, eventId, items, seller, price, currency },
        buyer: undefined,
        state: 'listed',
        createdAt: now.getTime(),
        completedAt: undefined,
      };
      await statements.insertTransfer(tx, transfer);
      return { outcome: 'listed', transfer };
    });
  }

  async find(transferId: string) {
    return statements.findTransfer(await this.#options.database.get(), transferId);
  }

  async listOpen(eventId: string | undefined) {
    return statements.listOpen(await this.#options.database.get(), eventId, new Date(this.#options.clock.now()));
  }

  async listOf(visitor: string) {
    return statements.listOf(await this.#options.database.get(), visitor);
  }

  async cancel(transferId: string, seller: string): Promise<CancelTransferOutcome> {
    return this.#decide(async (tx, now): Promise<CancelTransferOutcome> => {
      const transfer = await statements.findTransfer(tx, transferId);
      if (transfer?.seller !== seller) return { outcome: 'no-transfer' };
      await statements.lockListable(tx, transfer.reservationId, now);
      const state = await statements.lockState(tx, transferId, now);
      if (state === 'reserved' || state === 'paid') return { outcome: 'in-progress' };
      if (state === 'completed') return { outcome: 'over' };
      if (state === 'listed') await withdraw(tx, transfer, this.#options.append, now);
      return { outcome: 'cancelled', transfer: { ...transfer, state: 'cancelled' } };
    });
  }

  async #decide<T>(work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    return inTransaction(await this.#options.database.get(), (tx) => work(tx, new Date(this.#options.clock.now())));
  }
}

export async function withdraw(tx: Transaction, transfer: Transfer, append: Append, at: Date): Promise<void> {
  const { transferId, reservationId, eventId, seller: sellerId } = transfer;
  await statements.setState(tx, transferId, 'cancelled');
  const payload = { transferId, reservationId, eventId, sellerId };
  await append(tx, { type: 'TRANSFER_CANCELLED', at, payload });
}

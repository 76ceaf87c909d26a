/**
 * What happens with money, step by step: a transaction, then the provider, then a transaction, never one inside the
 * other. A process that dies between two steps leaves a payment that says what is to be done next, and `look` does it.
 */
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { AskOutcome, AskRequest, CancelOutcome, Payment, PaymentStore, SettleOutcome } from './payment-store.ts';
import type { PaymentTiming } from './payment-timing.ts';
import type { Provider } from './provider.ts';
import type { ReleaseSlot } from './release-slot.ts';
import { holdsSlot } from './transitions.ts';

export interface CashierOptions {
  store: PaymentStore;
  provider: Provider;
  releaseSlot: ReleaseSlot;
  timing: Pick<PaymentTiming, 'timeoutMs' | 'abandonMs'>;
  clock: Clock;
  log: Logger;
}

export type ConfirmOutcome = AskOutcome | { outcome: 'done'; payment: Payment };

export class Cashier {
  readonly #options: CashierOptions;

  constructor(options: CashierOptions) {
    this.#options = options;
  }

  /** `done`: whatever the payment has come to by now, `confirming` included if the provider has not said yet. */
  async confirm(request: AskRequest): Promise<ConfirmOutcome> {
    const asked = await this.#options.store.ask(request);
    if (asked.outcome === 'already') return { outcome: 'done', payment: asked.payment };
    if (asked.outcome !== 'asked') return asked;
    const happened = await this.#capture(asked.payment, request.method);
    if (happened === 'pending') return { outcome: 'done', payment: asked.payment };
    const settled = await this.settle(asked.payment.orderId, happened);
    return settled.outcome === 'no-payment' ? settled : { outcome: 'done', payment: settled.payment };
  }

  /** What the provider did, from whoever heard of it first; then what follows from it. */
  async settle(
    orderId: string,
    happened: 'captured' | 'declined' | 'refunded',
    message?: string,
  ): Promise<SettleOutcome> {
    const settled = await this.#options.store.settle(orderId, happened, message);
    if (settled.outcome !== 'settled') return settled;
    return { ...settled, payment: await this.#finish(settled.payment) };
  }

  async cancel(reservationId: string): Promise<CancelOutcome> {
    const outcome = await this.#options.store.cancel(reservationId);
    if (outcome.outcome !== 'cancelled') return outcome;
    const refunding = await Promise.all(outcome.refunding.map((payment) => this.#finish(payment)));
    return { ...outcome, refunding };
  }

  /** One step on with a payment that was left lying. */
  async look(payment: Payment): Promise<void> {
    if (payment.state !== 'confirming') {
      await this.#finish(payment);
      return;
    }
    const { provider, clock, timing } = this.#options;
    const found = await provider.find(payment.orderId);
    if (found === 'captured' || found === 'declined' || found === 'refunded') {
      // A charge that was refunded was captured before, and whoever refunded it knew more than we do.
      await this.settle(payment.orderId, found === 'refunded' ? 'declined' : found);
    } else if (found === 'none' && clock.now() - (payment.askedAt ?? payment.createdAt) > timing.abandonMs) {
      await this.settle(payment.orderId, 'declined');
    }
  }

  /** What a state asks to be done outside of the database. What fails here is done by `look` later. */
  async #finish(payment: Payment): Promise<Payment> {
    try {
      if (payment.state === 'refunding') return await this.#refund(payment);
      if (payment.state === 'confirmed' && holdsSlot(payment)) await this.#release(payment);
    } catch (error) {
      this.#options.log.warn({ err: error, orderId: payment.orderId }, `${payment.state}: will be tried again`);
    }
    return payment;
  }

  async #refund(payment: Payment): Promise<Payment> {
    const { provider, store } = this.#options;
    await provider.refund(payment.orderId);
    const settled = await store.settle(payment.orderId, 'refunded');
    return settled.outcome === 'no-payment' ? payment : settled.payment;
  }

  async #release(payment: Payment): Promise<void> {
    await this.#options.releaseSlot(payment);
    await this.#options.store.noteReleased(payment.orderId);
  }

  /** `pending` also where the provider fails or does not answer in time: it may have done it all the same. */
  async #capture(payment: Payment, method: string): Promise<'captured' | 'declined' | 'pending'> {
    const { orderId, paymentKey, amount, currency } = payment;
    const signal = AbortSignal.timeout(this.#options.timing.timeoutMs);
    const timeout = new Promise<'pending'>((resolve) => signal.addEventListener('abort', () => resolve('pending')));
    const capture = this.#options.provider.capture({ orderId, paymentKey, amount, currency, method }, signal);
    const answered = capture.catch((error) => {
      this.#options.log.warn({ err: error, orderId }, 'the payment provider failed');
      return 'pending' as const;
    });
    return Promise.race([answered, timeout]);
  }
}

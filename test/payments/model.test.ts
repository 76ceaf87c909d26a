/**
 * Random histories of two buyers who want the same seats, with a provider and a process that fail at any step. Once everything has
 * settled, each capture is one confirmed reservation or one full refund.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { databaseSchema } from '../../src/compose/database-schema.ts';
import type { Cashier } from '../../src/payments/cashier.ts';
import type { PaymentStore } from '../../src/payments/payment-store.ts';
import type { Charge, Provider } from '../../src/payments/provider.ts';
import { HOLD_MS, unique } from '../shop/shop-fixture.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { thorough } from '../support/thorough.ts';
import { createPayments, type Payments } from './payment-fixture.ts';

const RUNS = 15 * thorough;
const SEATS = ['A-1-1', 'A-1-2', 'A-1-3'];

const BUYERS = ['ann', 'bob'];
const buyer = fc.constantFrom(...BUYERS);
const crash = fc.option(fc.record({ step: fc.integer({ min: 0, max: 4 }), isAfter: fc.boolean() }), { nil: undefined });
const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('hold' as const), buyer, seats: fc.subarray(SEATS, { minLength: 1 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('pay' as const),
      buyer,
      how: fc.constantFrom('captured', 'declined', 'pending', 'lost', 'unheard'),
      crash,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('deliver' as const), times: fc.integer({ min: 1, max: 2 }), crash }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), buyer, crash }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('keep' as const), crash }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('pass' as const), ms: fc.constantFrom(2_000, 70_000, HOLD_MS + 1) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
/** The steps of an inner list run concurrently. */
const history = fc.array(fc.array(command, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 14 });

class Crash extends Error {}

/** The port, until the process dies at the given call: before it, or after it and before its response. */
function dyingAt<T extends object>(port: T, life: { step: number; isAfter: boolean }): T {
  return new Proxy(port, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        life.step -= 1;
        if (life.step < -1 || (life.step === -1 && !life.isAfter)) throw new Crash();
        const answer = (await method.apply(target, args)) as unknown;
        if (life.step === -1) throw new Crash();
        return answer;
      };
    },
  });
}

class Model {
  readonly shop: Payments;
  readonly eventId: string;
  readonly #reservations = new Map<string, string>();
  #how = 'captured';

  constructor(shop: Payments, eventId: string) {
    this.shop = shop;
    this.eventId = eventId;
    shop.provider.behave = (charge) => this.#behave(charge);
  }

  async run(step: Command): Promise<void> {
    const { shop } = this;
    switch (step.type) {
      case 'pass':
        shop.clock.advance(step.ms);
        break;
      case 'hold': {
        const seats = { ids: step.seats };
        const outcome = await shop.holds.holdSeats({
          eventId: this.eventId,
          visitor: this.#visitor(step.buyer),
          seats,
        });
        if ('reservation' in outcome) this.#reservations.set(step.buyer, outcome.reservation.reservationId);
        break;
      }
      case 'pay':
        this.#how = step.how;
        await this.#withCrash(step.crash, (cashier, store) => this.#pay(step.buyer, cashier, store));
        break;
      case 'cancel': {
        const reservationId = this.#reservations.get(step.buyer);
        if (reservationId === undefined) break;
        await this.#withCrash(step.crash, (cashier) => cashier.cancel(reservationId));
        break;
      }
      case 'deliver':
        await this.#withCrash(step.crash, (cashier) => this.#deliver(step.times, cashier));
        break;
      case 'keep':
        await this.#withCrash(step.crash, async (cashier, store) => {
          await shop.holds.freeEnded();
          for (const payment of await store.takeDue()) await cashier.check(payment);
        });
    }
  }

  async listReservations() {
    const lists = await Promise.all(BUYERS.map((name) => this.shop.holds.listOf(this.#visitor(name))));
    return lists.flat();
  }

  /** Unique per history: all share one database. */
  #visitor(name: string): string {
    return `${name} at ${this.eventId}`;
  }

  /** Delivers every pending message, and runs the keeper until nothing is left to do. */
  async comeToRest(): Promise<void> {
    for (const [orderId, state] of this.shop.provider.charges) {
      if (state === 'pending') this.shop.provider.charges.set(orderId, 'captured');
    }
    await this.#deliver(2, this.shop.cashier);
    for (let pass = 0; pass < 6; pass += 1) {
      this.shop.clock.advance(HOLD_MS + 1);
      await this.shop.keep();
    }
  }

  async #pay(name: string, cashier: Cashier, store: PaymentStore): Promise<void> {
    const reservationId = this.#reservations.get(name);
    if (reservationId === undefined) return;
    const prepared = await store.prepare(reservationId, this.#visitor(name));
    if (prepared.outcome === 'prepared') await this.shop.pay(prepared.payment, cashier);
  }

  /** Delivers the provider's messages about all charges, repeatedly and late. */
  async #deliver(times: number, cashier: Cashier): Promise<void> {
    for (const [orderId, state] of [...this.shop.provider.charges]) {
      if (state === 'pending') this.shop.provider.charges.set(orderId, 'captured');
      const said = state === 'declined' ? 'declined' : 'captured';
      for (let time = 0; time < times; time += 1) await cashier.settle(orderId, said, `${orderId} ${said}`);
    }
  }

  async #behave({ orderId }: Charge): Promise<'captured' | 'declined' | 'pending'> {
    const how = this.#how;
    if (how === 'unheard') throw new Error('never reached it');
    if (how !== 'lost') return how as 'captured' | 'declined' | 'pending';
    this.shop.provider.charges.set(orderId, 'captured');
    throw new Error('the answer was lost');
  }

  async #withCrash(
    life: { step: number; isAfter: boolean } | undefined,
    work: (cashier: Cashier, store: PaymentStore) => Promise<unknown>,
  ): Promise<void> {
    const { shop } = this;
    if (life === undefined) {
      await work(shop.cashier, shop.payments);
      return;
    }
    const counted = { ...life };
    const store = dyingAt<PaymentStore>(shop.payments, counted);
    const provider = dyingAt<Provider>(shop.provider, counted);
    await work(shop.cashierWith({ store, provider }), store).catch((error) => {
      if (!(error instanceof Crash)) throw error;
    });
  }
}

describeOnEachDatabase('each capture', databaseSchema, (suite) => {
  it('ends in exactly one confirmed reservation or one full refund, in every random history', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const shop = createPayments(suite);
        const eventId = await shop.createEvent({
          sections: [{ id: 'A', name: unique('hall'), rows: 1, seatsPerRow: 3, price: 1_000 }],
          standing: [],
          maxPerPerson: 6,
        });
        const model = new Model(shop, eventId);
        for (const group of steps) await Promise.all(group.map((step) => model.run(step)));
        await model.comeToRest();
        expect(await shop.findLooseEnds(eventId)).toEqual([]);
        expect(await shop.findContradictions(eventId)).toEqual([]);
        const { seats } = (await shop.events.findEvent(eventId))!;
        const reservations = await model.listReservations();
        const confirmed = reservations.filter(({ state }) => state === 'confirmed');
        expect(seats.remaining, 'nothing stays held for ever').toBe(3 - confirmed.flatMap(({ items }) => items).length);
        expect(reservations.filter(({ state }) => state === 'held')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

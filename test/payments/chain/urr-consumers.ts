/**
 * Consumers written to the flat format, as URR's ticket-service and stats-service read their topics: by their field names, with
 * ids that must be UUIDs, and with their keys against repeated messages. They know nothing of Fairline.
 */

export type Event = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** undefined, as in their code, for everything that is no UUID. */
const uuid = (value: unknown) => (typeof value === 'string' && UUID.test(value) ? value : undefined);

const number = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) ? value : 0);

/** What a consumer did, by entity: a list longer than one is a doubled effect. */
class Effects {
  readonly #done = new Map<string, number[]>();

  add(what: string, id: string, amount: number): void {
    const key = `${what} ${id}`;
    this.#done.set(key, [...(this.#done.get(key) ?? []), amount]);
  }

  of(what: string) {
    const amounts = [...this.#done].filter(([key]) => key.startsWith(`${what} `)).map(([, done]) => done);
    const all = amounts.flat();
    return { entities: amounts.length, effects: all.length, sum: all.reduce((sum, amount) => sum + amount, 0) };
  }
}

/** The group ticket-service-group: reads payment-events. */
export class TicketService {
  readonly effects = new Effects();
  readonly skipped: Event[] = [];
  readonly #processed = new Set<string>();

  handle(event: Event): void {
    const key = this.#keyOf(event);
    if (key !== undefined && this.#processed.has(key)) return;
    if (event.type === 'PAYMENT_REFUNDED') this.#apply('refund', event, event.reservationId);
    else if (event.paymentType === 'transfer') this.#apply('transfer', event, event.referenceId);
    else if (event.paymentType === 'membership') this.#apply('membership', event, event.referenceId);
    else this.#apply('reservation', event, event.reservationId);
    if (key !== undefined) this.#processed.add(key);
  }

  #apply(what: string, event: Event, value: unknown): void {
    const id = uuid(value);
    if (id === undefined) this.skipped.push(event);
    else this.effects.add(what, id, number(event.amount));
  }

  /** The saga id first, else type and reference. */
  #keyOf({ sagaId, type, reservationId, referenceId }: Event): string | undefined {
    if (text(sagaId) !== undefined && text(sagaId) !== '') return text(sagaId);
    const reference = text(reservationId) ?? text(referenceId);
    return type === undefined || reference === undefined ? undefined : `${type}:${reference}`;
  }
}

/** The group stats-service-group: reads all four topics. */
export class StatsService {
  readonly effects = new Effects();
  readonly skipped: Event[] = [];
  readonly #processed = new Set<string>();

  handle(topic: string, event: Event): void {
    const key = this.#keyOf(event);
    if (key !== undefined && this.#processed.has(key)) return;
    if (topic === 'payment-events') this.#countPayment(event);
    else if (topic === 'reservation-events') this.#countReservation(event);
    else this.effects.add(String(event.type), String(event.transferId ?? event.membershipId), number(event.totalPrice));
    if (key === undefined) this.skipped.push(event);
    else this.#processed.add(key);
  }

  #countPayment(event: Event): void {
    const [id, amount] = [String(event.paymentId), number(event.amount)];
    if (event.type === 'PAYMENT_REFUNDED') this.effects.add('refunded', id, amount);
    else if (event.paymentType === 'transfer') this.effects.add('transferred', id, amount);
  }

  #countReservation(event: Event): void {
    if (uuid(event.eventId) === undefined) this.skipped.push(event);
    this.effects.add(String(event.type), String(event.reservationId), number(event.totalAmount));
  }

  /** Type, id and time. */
  #keyOf({ type, timestamp, reservationId, paymentId, membershipId, transferId }: Event): string | undefined {
    const id = text(reservationId) ?? text(paymentId) ?? text(membershipId) ?? text(transferId);
    return [type, id, timestamp].some((part) => part === undefined) ? undefined : `${type}:${id}:${timestamp}`;
  }
}

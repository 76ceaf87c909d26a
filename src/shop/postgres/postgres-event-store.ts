/** Events and seats in PostgreSQL. */
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { LazyDatabase } from '../../platform/database/lazy-database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type {
  EventChange,
  EventFields,
  EventStore,
  GenerateOutcome,
  MoveEventOutcome,
  PutEventOutcome,
  SaleState,
  Sales,
  ShopEvent,
} from '../event-store.ts';
import type { LayoutBody } from '../rules/layout.ts';
import * as statements from './event-statements.ts';
import * as sales from './sales-statements.ts';

export interface PostgresEventStoreOptions {
  database: LazyDatabase;
  clock: Clock;
  /** Used where the operator sets no value. */
  defaults: { currency: string; maxPerPerson: number; timeZone: string };
  /** How long before the public sale members can buy. */
  presaleHours: number;
}

const HOUR_MS = 3_600_000;
const REQUIRED = ['title', 'startsAt'] as const;

export class PostgresEventStore implements EventStore {
  readonly #database: LazyDatabase;
  readonly #clock: Clock;
  readonly #defaults: PostgresEventStoreOptions['defaults'];
  readonly #presaleMs: number;

  constructor({ database, clock, defaults, presaleHours }: PostgresEventStoreOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#defaults = defaults;
    this.#presaleMs = presaleHours * HOUR_MS;
  }

  async putEvent(eventId: string, change: EventChange): Promise<PutEventOutcome> {
    return this.#decide(async (tx, now) => {
      const state = await statements.lockEvent(tx, eventId);
      if (state === undefined) return this.#createEvent(tx, eventId, change, now);
      // Prices are in this currency: it cannot change once tickets can be sold.
      if (state !== 'draft' && change.currency !== undefined) return { outcome: 'fixed', fields: ['currency'] };
      const fields = { ...(await this.#getEvent(tx, eventId, now)), ...change };
      const refusal = changesTimes(change) ? refuseTimes(fields) : undefined;
      if (refusal !== undefined) return refusal;
      await statements.updateEvent(tx, eventId, this.#withPresale(fields), now);
      return { outcome: 'changed', event: await this.#getEvent(tx, eventId, now) };
    });
  }

  async findEvent(eventId: string): Promise<ShopEvent | undefined> {
    return statements.findEvent(await this.#database.get(), eventId, this.#now());
  }

  async listEvents(): Promise<ShopEvent[]> {
    return statements.listEvents(await this.#database.get(), this.#now());
  }

  async listAllEvents(): Promise<ShopEvent[]> {
    return statements.listAllEvents(await this.#database.get(), this.#now());
  }

  async readSales(eventId: string): Promise<Sales | undefined> {
    const database = await this.#database.get();
    const paid = await sales.sumPurchases(database, eventId);
    if (paid === undefined) return undefined;
    const seats = await sales.countSeats(database, eventId, this.#now());
    return { ...paid, stock: [...seats, ...(await sales.countStanding(database, eventId))] };
  }

  async openEvent(eventId: string): Promise<MoveEventOutcome> {
    return this.#move(eventId, 'open', async (tx, now) => {
      const { seats, standing } = await this.#getEvent(tx, eventId, now);
      return seats.total > 0 || standing.length > 0 ? undefined : { outcome: 'nothing-to-sell' };
    });
  }

  async cancelEvent(eventId: string): Promise<MoveEventOutcome> {
    return this.#move(eventId, 'cancelled', async () => undefined);
  }

  async putLayout(layoutId: string, layout: LayoutBody): Promise<void> {
    await statements.upsertLayout(await this.#database.get(), layoutId, layout, this.#now());
  }

  async listLayouts() {
    return statements.listLayouts(await this.#database.get());
  }

  async generateSeats(eventId: string, layoutId: string): Promise<GenerateOutcome> {
    return this.#decide(async (tx, now) => {
      const state = await statements.lockEvent(tx, eventId);
      if (state === undefined) return { outcome: 'no-event' };
      if (state !== 'draft') return { outcome: 'on-sale' };
      const layout = await statements.findLayout(tx, layoutId);
      if (layout === undefined) return { outcome: 'no-layout' };
      await statements.deleteSeats(tx, eventId);
      await statements.insertSeats(tx, eventId, layout.sections);
      await statements.insertTicketTypes(tx, eventId, layout);
      await statements.setSections(tx, eventId, layout.sections, now);
      return { outcome: 'generated', event: await this.#getEvent(tx, eventId, now) };
    });
  }

  async readStock(eventId: string) {
    return statements.readStock(await this.#database.get(), eventId, this.#now());
  }

  async readOver(eventId: string) {
    return statements.readOver(await this.#database.get(), eventId, this.#now());
  }

  async readSeats(eventId: string) {
    const found = await statements.readSeats(await this.#database.get(), eventId, this.#now());
    return found && { ...found, states: new Map(found.changes) };
  }

  async readChanges(eventId: string, since: string) {
    return statements.readChanges(await this.#database.get(), eventId, since, this.#now());
  }

  async #createEvent(tx: Transaction, eventId: string, change: EventChange, now: Date): Promise<PutEventOutcome> {
    const missing = REQUIRED.filter((field) => change[field] === undefined);
    if (missing.length > 0) return { outcome: 'missing', fields: missing };
    const blank = { artist: '', venue: '', description: '', imageUrl: null, onSaleAt: null, salesEndAt: null };
    const fields = this.#withPresale({ ...blank, ...this.#defaults, ...change } as EventFields);
    const refusal = refuseTimes(fields);
    if (refusal !== undefined) return refusal;
    if (await statements.insertEvent(tx, eventId, fields, now)) {
      return { outcome: 'created', event: await this.#getEvent(tx, eventId, now) };
    }
    // Another request created it between our read and our insert.
    await statements.updateEvent(tx, eventId, fields, now);
    return { outcome: 'changed', event: await this.#getEvent(tx, eventId, now) };
  }

  async #move(
    eventId: string,
    to: SaleState,
    refuse: (tx: Transaction, now: Date) => Promise<MoveEventOutcome | undefined>,
  ): Promise<MoveEventOutcome> {
    return this.#decide(async (tx, now) => {
      const state = await statements.lockEvent(tx, eventId);
      if (state === undefined) return { outcome: 'no-event' };
      if (state === to) return { outcome: 'already' };
      if (state === 'cancelled') return { outcome: 'cancelled' };
      const refusal = await refuse(tx, now);
      if (refusal !== undefined) return refusal;
      await statements.setEventState(tx, eventId, to, now);
      return { outcome: 'done' };
    });
  }

  async #decide<T>(work: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
    const database = await this.#database.get();
    return inTransaction(database, (tx) => work(tx, this.#now()));
  }

  async #getEvent(tx: Transaction, eventId: string, now: Date): Promise<ShopEvent> {
    const event = await statements.findEvent(tx, eventId, now);
    if (event === undefined) throw new Error(`event ${eventId} not found while it was locked`);
    return event;
  }

  #withPresale<T extends EventFields>(fields: T): T & Pick<ShopEvent, 'membersFrom'> {
    const { onSaleAt } = fields;
    const membersFrom = onSaleAt === null ? null : new Date(Date.parse(onSaleAt) - this.#presaleMs).toISOString();
    return { ...fields, membersFrom };
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** The rule about times does not apply to a change of other fields. */
function changesTimes({ onSaleAt, startsAt, salesEndAt }: EventChange): boolean {
  return onSaleAt !== undefined || startsAt !== undefined || salesEndAt !== undefined;
}

function refuseTimes(fields: EventFields): PutEventOutcome | undefined {
  const { onSaleAt, startsAt, salesEndAt } = fields;
  if (onSaleAt === null) return undefined;
  const from = Date.parse(onSaleAt);
  if (from > Date.parse(startsAt)) return { outcome: 'on-sale-too-late', startsAt };
  const hasTime = salesEndAt === null || from < Date.parse(salesEndAt);
  return hasTime ? undefined : { outcome: 'sale-ends-too-early', onSaleAt };
}

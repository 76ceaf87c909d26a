/** Operators: they set up rooms and sales, and change limits, pause, switch tier 1 and announce draws while the crowd is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Balancer, Browser, type Reply } from './crowd/browser.ts';
import type { DrawEnd, Operated, Recorder } from './history.ts';
import type { Chance } from './random.ts';
import { secrets } from './system/system.ts';

export interface OperatorOptions {
  balancer: Balancer;
  /** Undefined without a shop. */
  shops: Balancer | undefined;
  recorder: Recorder;
  chance: Chance;
  closing: AbortSignal;
  onRoom(eventId: string): void;
}

const CLAIM = 'gallery';
const TIER1 = 'arena';
/** Rooms of the probes that measure recovery: one where everybody goes straight in, one for a single visitor. */
export const PROBE = 'probe';
export const TURNSTILE = 'turnstile';
const SEATS = { sections: [{ id: 'A', name: 'Hall', rows: 4, seatsPerRow: 10, price: 50_000 }], standing: [] };
/** How long a sale stays open: long enough to sell out. */
const SALE_MS = 30_000;
/** Visitors come to the lobby of a draw for this long. */
const LOBBY_MS = 12_000;
const MOST_TRIES = 300;

export class Operator {
  readonly #options: OperatorOptions;
  readonly #browser: Browser;
  readonly #draws: { eventId: string; opensAt: number; announced: string }[] = [];
  #sale = 'hall-0';
  #sales = 0;
  #rounds = 0;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#browser = new Browser(options.balancer);
    this.#browser.bearer = secrets.ADMIN_TOKEN;
  }

  /** The rooms as the crowd finds them. */
  get rooms() {
    return {
      auto: () => this.#sale,
      claim: CLAIM,
      tier1: TIER1,
      draw: () => this.#draws.at(-1)?.eventId,
    };
  }

  async setUp(): Promise<void> {
    await this.#put(PROBE, { maxActive: 1_000_000 });
    await this.#put(TURNSTILE, { maxActive: 1, activeTtlMs: 2_000 });
    await this.#put(CLAIM, { maxActive: 6, admission: 'claim' });
    await this.#put(TIER1, { maxActive: 6 });
    await this.#openSale();
  }

  /** Changes something every few seconds until the run closes. */
  async work(): Promise<void> {
    const { chance, closing } = this.#options;
    let saleEnds = Date.now() + SALE_MS;
    while (!closing.aborted) {
      await this.#rest(chance.between(800, 2_500));
      if (closing.aborted) break;
      this.#rounds += 1;
      if (Date.now() > saleEnds) {
        await this.#openSale();
        saleEnds = Date.now() + SALE_MS;
      } else if (this.#rounds % 8 === 3) await this.#announceDraw();
      else await this.#changeSomething();
    }
  }

  /** Leaves everything open and tier 1 off, so that the crowd can drain. */
  async tidyUp(): Promise<void> {
    for (const eventId of [this.#sale, CLAIM, TIER1]) await this.#put(eventId, { state: 'open', maxActive: 50 });
    await this.#switchTier1(false);
  }

  async #changeSomething(): Promise<void> {
    const { chance } = this.#options;
    const room = chance.pick([this.#sale, this.#sale, CLAIM, TIER1]);
    const at = chance.next();
    if (at < 0.45) return this.#put(room, { maxActive: chance.between(2, 10) });
    if (at < 0.6) return this.#put(room, { admitPerSecond: chance.happens(0.5) ? chance.between(3, 30) : null });
    if (at < 0.8) {
      await this.#put(room, { state: 'paused' });
      await this.#rest(chance.between(300, 2_000));
      return this.#put(room, { state: 'open' });
    }
    return this.#switchTier1(chance.happens(0.6));
  }

  async #openSale(): Promise<void> {
    this.#sales += 1;
    const eventId = `hall-${this.#sales}`;
    const { shops, chance } = this.#options;
    if (shops !== undefined) {
      const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
      await this.#must('PUT', '/api/admin/layouts/hall', { name: 'Hall', ...SEATS }, shops);
      await this.#must('PUT', `/api/admin/events/${eventId}`, { title: 'Concert', startsAt }, shops);
      await this.#must('POST', `/api/admin/events/${eventId}/seats`, { layoutId: 'hall' }, shops);
      await this.#must('POST', `/api/admin/events/${eventId}/open`, undefined, shops);
    }
    await this.#put(eventId, { maxActive: chance.between(4, 8) });
    this.#sale = eventId;
  }

  async #announceDraw(): Promise<void> {
    const eventId = `draw-${this.#draws.length + 1}`;
    const opensAt = Date.now() + LOBBY_MS;
    await this.#put(eventId, { order: 'draw', opensAt: new Date(opensAt).toISOString(), maxActive: 4 });
    const { status, body } = await this.#send('GET', `/api/rooms/${eventId}/draw`);
    if (status === 200) this.#draws.push({ eventId, opensAt, announced: body.commitment });
  }

  /** The published data of all draws that were held. */
  async readDraws(): Promise<DrawEnd[]> {
    const found: DrawEnd[] = [];
    for (const { eventId, announced } of this.#draws) {
      const { status, body } = await this.#send('GET', `/api/rooms/${eventId}/draw`);
      if (status !== 200 || body.state !== 'drawn') continue;
      const list = await fetch(`${this.#options.balancer.next().url}/api/rooms/${eventId}/draw/entries`);
      const lots = (await list.text()).split('\n').filter((lot) => lot !== '');
      const { commitment, seed, firstNumber } = body;
      found.push({ eventId, announced, commitment, seed, firstNumber, lots });
    }
    return found;
  }

  /** Sizes of all rooms at the end; undefined if nobody answered. */
  async readRooms(): Promise<{ eventId: string; waiting: number; admitted: number; active: number }[] | undefined> {
    const { status, body } = await this.#send('GET', '/api/admin/rooms');
    if (status !== 200) return undefined;
    const rooms = body as { eventId: string; waiting: number; admitted: number; active: number }[];
    return rooms.map(({ eventId, waiting, admitted, active }) => ({ eventId, waiting, admitted, active }));
  }

  async readStats(balancer: Balancer) {
    const { status, body } = await this.#browser.send({ method: 'GET', path: '/api/stats/overview' }, balancer.next());
    return status === 200 ? body : undefined;
  }

  async isCaughtUp(balancer: Balancer): Promise<boolean> {
    const { status, body } = await this.#browser.send({ method: 'GET', path: '/api/stats/realtime' }, balancer.next());
    return status === 200 && body.behind === 0;
  }

  async #put(eventId: string, settings: Record<string, unknown>): Promise<void> {
    await this.#record({ eventId, action: 'room', settings }, 'PUT', `/api/admin/rooms/${eventId}`, settings);
    this.#options.onRoom(eventId);
  }

  async #switchTier1(isOn: boolean): Promise<void> {
    const path = `/api/admin/vwr/${isOn ? 'activate' : 'deactivate'}/${TIER1}`;
    await this.#record({ eventId: TIER1, action: isOn ? 'tier1-on' : 'tier1-off' }, 'POST', path);
  }

  /** Repeats the request until it is answered, as an operator does. Every attempt may have had its effect. */
  async #record(
    what: Pick<Operated, 'eventId' | 'action' | 'settings'>,
    method: 'PUT' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const reply = await this.#send(method, path, body);
      const { at, until, status } = reply;
      this.#options.recorder.add({ kind: 'operated', at, until, status, ...what });
      if (status === 200 || status === 201) return;
      // Other server errors are violations that the oracle finds.
      if (status > 0 && status < 500) throw new Error(`${method} ${path} got ${status}: ${JSON.stringify(reply.body)}`);
      await sleep(150);
    }
    throw new Error(`${method} ${path} was never answered`);
  }

  async #must(method: 'PUT' | 'POST', path: string, body: unknown, balancer: Balancer): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const send = body === undefined ? { method, path } : { method, path, body };
      const reply = await this.#browser.send(send, balancer.next());
      // EVENT_ON_SALE: a repeated request whose first reply was lost.
      if (reply.status < 300 && reply.status > 0) return;
      if (reply.body?.error?.code === 'EVENT_ON_SALE') return;
      if (reply.status > 0 && reply.status < 500)
        throw new Error(`${method} ${path} got ${reply.status}: ${JSON.stringify(reply.body)}`);
      await sleep(150);
    }
    throw new Error(`${method} ${path} was never answered`);
  }

  #send(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown): Promise<Reply> {
    return this.#browser.send(body === undefined ? { method, path } : { method, path, body });
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#options.closing }).catch(() => {});
  }
}

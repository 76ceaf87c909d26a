/**
 * Decides who may take a new place in a room that asks for accounts (`joinRequires`). Guests cost nothing to make; an account
 * with a confirmed e-mail address costs an address, so each person has about one place, and one lot in a draw.
 *
 * What a room asks for is known from the last store response of the room. If that is too long ago, the room is looked up first.
 */
import type { Visitor } from '../identity/visitor.ts';
import type { Clock } from '../platform/clock.ts';
import { RecentMap } from '../platform/collections/recent-map.ts';
import type { RoomSettings } from './model/room-settings.ts';
import type { Crowd } from './model/standing.ts';
import type { Visits } from './store/visits.ts';

export type JoinRequires = RoomSettings['joinRequires'];
/** What the visitor lacks. */
export type Missing = Exclude<JoinRequires, 'nothing'>;

export interface AccountRuleOptions {
  visits: Pick<Visits, 'find'>;
  clock: Clock;
}

/** Changes of a room must take effect everywhere within 2 s. */
const KNOWN_FOR_MS = 1_000;
const ROOMS_REMEMBERED = 10_000;
const UNUSED_MS = 60_000;

export class AccountRule {
  readonly #options: AccountRuleOptions;
  readonly #known: RecentMap<{ requires: JoinRequires; at: number }>;

  constructor(options: AccountRuleOptions) {
    this.#options = options;
    this.#known = new RecentMap(ROOMS_REMEMBERED, { unusedMs: UNUSED_MS, now: () => options.clock.now() });
  }

  /** How many rooms are in memory. */
  get size(): number {
    return this.#known.size;
  }

  /** Call with the crowd of any store response of the room. */
  note(eventId: string, { settings }: Crowd): void {
    const at = this.#options.clock.now();
    const known = this.#known.get(eventId);
    if (known === undefined) this.#known.set(eventId, { requires: settings.joinRequires, at });
    else {
      known.requires = settings.joinRequires;
      known.at = at;
    }
  }

  /** Whether the visitor may join, as far as it is known without a lookup. */
  isKnownToAllow(eventId: string, visitor: Visitor): boolean {
    if (visitor.isConfirmed) return true;
    const known = this.#known.get(eventId);
    if (known === undefined || this.#options.clock.now() >= known.at + KNOWN_FOR_MS) return false;
    return missingOf(known.requires, visitor) === undefined;
  }

  /** What the visitor lacks for a new place; undefined if nothing, also for a visitor who has a place. */
  async findMissing(eventId: string, visitor: Visitor): Promise<Missing | undefined> {
    const found = await this.#options.visits.find(eventId, visitor.id);
    if (found.outcome === 'no-room') return undefined;
    this.note(eventId, found.crowd);
    return found.standing.state === 'absent' ? missingOf(found.crowd.settings.joinRequires, visitor) : undefined;
  }
}

/** `visitor`: undefined for a caller without any identity. */
export function missingOf(requires: JoinRequires, visitor: Visitor | undefined): Missing | undefined {
  if (requires === 'nothing') return undefined;
  if (visitor?.kind !== 'user') return 'account';
  return requires === 'account' || visitor.isConfirmed ? undefined : 'confirmed-account';
}

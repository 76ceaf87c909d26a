/** Everything a store of lines does, by who uses it. Consumers ask for the one port that they need, not for all. */
import type { Admissions } from './admissions.ts';
import type { Draws } from './draws.ts';
import type { Numbers } from './numbers.ts';
import type { Rooms } from './rooms.ts';
import type { Visits } from './visits.ts';

export interface LineStore extends Visits, Rooms, Admissions, Draws, Numbers {
  /** Why the store cannot serve right now; undefined when it can. */
  fault(): string | undefined;
  close(): Promise<void>;
}

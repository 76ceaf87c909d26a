/** A store of lines implements all ports. Consumers take the narrowest port that they need. */
import type { Admissions } from './admissions.ts';
import type { Draws } from './draws.ts';
import type { Numbers } from './numbers.ts';
import type { Rooms } from './rooms.ts';
import type { Schedules } from './schedules.ts';
import type { Visits } from './visits.ts';

export interface LineStore extends Visits, Rooms, Admissions, Draws, Numbers, Schedules {
  /** Why the store cannot serve right now; undefined when it can. */
  fault(): string | undefined;
  close(): Promise<void>;
}

/** The ports of one store, each of which may be wrapped. */
export interface LinePorts {
  visits: Visits;
  rooms: Rooms;
  admissions: Admissions;
  draws: Draws;
  numbers: Numbers;
  schedules: Schedules;
}

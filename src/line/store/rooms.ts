/** The port for what operators and the shop do with rooms. Guarantees as in visits.ts. */
import type { Totals } from '../model/line.ts';
import type { RoomChange, RoomOverrides, SettingProblem } from '../model/room-settings.ts';
import type { HealthReport } from '../model/site-health.ts';
import type { Crowd } from '../model/standing.ts';
import type { StockReport } from '../model/stock.ts';
import type { NoRoom } from './visits.ts';

export interface Rooms {
  /** Creates the room or changes some of its settings; every instance applies them within 2 s. */
  putRoom(eventId: string, change: RoomChange): Promise<PutRoomOutcome>;
  findRoom(eventId: string): Promise<Room | undefined>;
  listRooms(): Promise<Room[]>;
  /** How often settings of rooms were changed, by any process: while it is the same, so are they. */
  countChanges(): Promise<number>;
  /** Empties line and room; numbers go on. A draw in progress is discarded and a new one announced. */
  clear(eventId: string): Promise<ClearOutcome>;
  /** Tells the room how many seats are left, where it follows the stock. Does nothing where there is no room. */
  putStock(eventId: string, report: StockReport): Promise<void>;
  /** Reports what the site behind the room answered. Does nothing unless the room follows its health. */
  putHealth(eventId: string, report: HealthReport): Promise<void>;
}

export interface Room {
  eventId: string;
  epoch: string;
  /** What the operator has set; everything else follows the defaults. */
  overrides: RoomOverrides;
  crowd: Crowd;
  /** May restart at 0 with the store: use differences, not values. */
  totals: Totals;
}

export type PutRoomOutcome =
  | { outcome: 'created' | 'changed'; room: Room; before: RoomOverrides }
  | { outcome: 'invalid'; problems: SettingProblem[] };
export type ClearOutcome = { outcome: 'cleared'; waiting: number; inside: number } | NoRoom;

/**
 * The port to where lines live. Every verb is one atomic step and may be repeated blindly after a lost reply; it
 * resolves once its effect would survive the process. Expected outcomes are values; only a store that cannot answer
 * throws (StoreUnavailableError), and then nothing that was promised is undone.
 *
 * Deliberately absent: listing the visitors of a line, and any way to admit a chosen visitor.
 */
import type { DrawPhase } from './draw-state.ts';
import type { JoinRequest } from './join-requests.ts';
import type { Lane } from './lanes.ts';
import type { Tally, Totals } from './line.ts';
import type { Pace } from './pace.ts';
import type { Phase, RoomChange, RoomOverrides, RoomSettings, SettingProblem } from './room-settings.ts';
import type { Ruler } from './ruler.ts';
import type { StockReport, StockView } from './stock.ts';

export interface LineStore {
  /** Creates the room or changes some of its settings; all instances go by it within 2 s. */
  putRoom(eventId: string, change: RoomChange): Promise<PutRoomOutcome>;
  findRoom(eventId: string): Promise<Room | undefined>;
  listRooms(): Promise<Room[]>;
  /** The events worth ticking: somebody is in line or inside, or was at the last tick. */
  listActiveEvents(): Promise<string[]>;

  /**
   * The visitor's place: the one they have, or a new one at the end, or straight in. Notes that they are there. A
   * request's key is kept for 300 s, atomically with the join, and belongs to the parameters it first came with.
   */
  join(eventId: string, visitor: string, options?: JoinOptions): Promise<JoinOutcome>;
  /** The same with a number that tier 1 gave; only for numbers from a verified token. Each is good once. */
  joinWithNumber(
    eventId: string,
    visitor: string,
    number: number,
    options?: LaneOptions,
  ): Promise<JoinWithNumberOutcome>;
  /** Where the visitor stands, noting that they are there. Ranks are exact to 100, within 1 % behind. */
  look(eventId: string, visitor: string): Promise<LookOutcome>;
  /** As look, but whoever is admitted stays so, in every room: asking this never uses anything up. */
  stay(eventId: string, visitor: string): Promise<LookOutcome>;
  /** Begins the session of whoever is admitted; `placeId` names the one place that is meant: see placeIdOf. */
  enter(eventId: string, visitor: string, placeId?: string): Promise<EnterOutcome>;
  /** Where the visitor stands, without counting as a sign of life. */
  find(eventId: string, visitor: string): Promise<LookOutcome>;
  /** Gives up the place; `tokenId` names the one place that is meant, so that a late call takes no later one. */
  leave(eventId: string, visitor: string, tokenId?: string): Promise<LeaveOutcome>;
  /** `from` is known as `to` from now on, and their place is `to`'s; of two places the better one stays. */
  rename(eventId: string, from: string, to: string): Promise<RenameOutcome>;
  /** The visitor's live connection closed: the place is kept for a while, as the room's settings say. */
  disconnect(eventId: string, visitor: string): Promise<DisconnectOutcome>;

  /** Tier 1 gives the numbers from now on, behind the last that was given here: nobody joins without one. */
  handOverNumbers(eventId: string, activation: string): Promise<HandOverOutcome>;
  /** The line gives them again, behind `last`, unless it has been handed over to another activation since. */
  takeNumbersBack(eventId: string, activation: string, last: number): Promise<void>;

  /** What is left to sell, for rooms that follow the stock; nothing where there is no room. */
  putStock(eventId: string, report: StockReport): Promise<void>;

  /** Lets in from the head as many as the room allows. Several callers at once are safe. */
  tick(eventId: string): Promise<TickOutcome>;
  /** Whose turn it is to tick the room; undefined while another process has it. Only spares work: see tick. */
  tryLockAdmission(eventId: string): Promise<AdmissionLock | undefined>;
  /** How it stood at the last tick, whichever process ran it; undefined before the first, and while nobody is there. */
  findPulse(eventId: string): Promise<Pulse | undefined>;
  /**
   * Does the next bounded step of the room's draw, once that is due. Several callers at once are safe. Only the last step
   * is sure to be kept when this resolves: what a crash takes back is done again, to the same end.
   */
  draw(eventId: string): Promise<DrawOutcome>;
  /** What may be told of the room's draw; undefined where it has none. */
  findDraw(eventId: string): Promise<DrawAnnouncement | undefined>;
  /** Tickets of a draw that is done, 16 bytes each, in ascending order, from the `from`-th on; fewer at the end. */
  readDrawEntries(eventId: string, from: number, count: number): Promise<Buffer>;
  /** Takes out waiters nobody has seen for too long, a bounded number per call. */
  sweep(eventId: string): Promise<SweepOutcome>;
  /** Empties line and room; numbers go on. A draw that has begun is forgotten and another one announced. */
  clear(eventId: string): Promise<ClearOutcome>;

  /** Why the store cannot serve right now; undefined when it can. */
  fault(): string | undefined;
  close(): Promise<void>;
}

export interface LaneOptions {
  /**
   * Whether a new place is in the lane that goes first, where the room has one. Ours to say, never the visitor's
   * (invariant 7). A place that the visitor has already stays where it is.
   */
  priority?: boolean;
}

export interface JoinOptions extends LaneOptions {
  request?: JoinRequest | undefined;
}

/** Ends by itself soon after the next tick is due; whoever has it may take it again before. */
export interface AdmissionLock {
  release(): Promise<void>;
}

export interface Room {
  eventId: string;
  epoch: string;
  /** What the operator has set; everything else follows the defaults. */
  overrides: RoomOverrides;
  crowd: Crowd;
  /** May begin anew with the store; never mind what they are, mind by how much they grow. */
  totals: Totals;
}

/** How it stands with the whole line: the same for everyone in it. */
export interface Crowd {
  phase: Phase;
  settings: RoomSettings;
  /** In line or in the lobby. */
  waiting: number;
  admitted: number;
  active: number;
  pace: Pace;
  /** undefined before the shop has said what is left. */
  stock?: StockView | undefined;
  /** How far the draw is, in a room whose order is by lot. */
  draw?: DrawPhase;
}

/** One tick's measurement, from which every waiter can be told where they stand. */
export interface Pulse {
  at: number;
  crowd: Crowd;
  ruler: Ruler;
  /** Of the priority lane, while somebody stands in it; `ruler` is then that of the ordinary one. */
  priorityRuler?: Ruler;
}

export type Standing = { state: 'absent' } | LobbyStanding | WaitingStanding | InsideStanding;

/** What those have who came before the draw, then and after it. */
export interface LotFacts {
  /** By which they take part in the draw; as good as random, and published with it. */
  ticket: string;
  /** Names this place among all that the visitor has had, before it has a number and when it has one. */
  lobbyId: string;
}
/** Of whoever waits. */
interface LaneFacts {
  /** Only where it is the one that goes first. */
  lane?: Extract<Lane, 'priority'>;
}
export interface LobbyStanding extends LotFacts, LaneFacts {
  state: 'lobby';
  joinedAt: number;
}
interface PlaceFacts extends Partial<LotFacts> {
  number: number;
  /** Names this place and no other, and so does each token made for it. */
  tokenId: string;
  joinedAt: number;
}
export interface WaitingStanding extends PlaceFacts, LaneFacts {
  state: 'waiting';
  /** 1 is next: how many are let in before, and oneself, if the line stays as it is. */
  position: number;
}
/** In a claim room admitted means ready: a promise that entering before `expiresAt` is granted. */
export interface InsideStanding extends PlaceFacts {
  state: 'admitted' | 'active';
  admittedAt: number;
  expiresAt: number;
}
export type PresentStanding = Exclude<Standing, { state: 'absent' }>;
/** In line or in the lobby. */
export type WaiterStanding = LobbyStanding | WaitingStanding;

export function isWaiter(standing: Standing): standing is WaiterStanding {
  return standing.state === 'waiting' || standing.state === 'lobby';
}

/** What a waiter's position is read from; undefined where nobody stood in their lane. */
export function rulerOf({ ruler, priorityRuler }: Pulse, { lane }: WaitingStanding): Ruler | undefined {
  return lane === 'priority' ? priorityRuler : ruler;
}

/** The same from joining until the place is gone, also where it comes by its number in between. */
export function placeIdOf(standing: PresentStanding): string {
  return standing.state === 'lobby' ? standing.lobbyId : (standing.lobbyId ?? standing.tokenId);
}

/** The commitment binds from the start; the rest is known once the draw is done. */
export type DrawAnnouncement = { phase: 'announced' | 'drawing'; opensAt: string; commitment: string } | DrawResult;

export interface DrawResult {
  phase: 'drawn';
  opensAt: string;
  commitment: string;
  seed: string;
  listHash: string;
  entries: number;
  firstNumber: number;
  drawnAt: number;
}

export type NoRoom = { outcome: 'no-room' };
export type PutRoomOutcome =
  | { outcome: 'created' | 'changed'; room: Room; before: RoomOverrides }
  | { outcome: 'invalid'; problems: SettingProblem[] };
export type JoinOutcome =
  | { outcome: 'joined' | 'already'; standing: Standing; crowd: Crowd }
  /** The request was made before; where the visitor stands now, noting that they are there. */
  | { outcome: 'duplicate'; standing: Standing; crowd: Crowd }
  /** The visitor has used the key for something else. */
  | { outcome: 'key-reused' }
  | { outcome: 'closed' }
  /** Tier 1 gives the numbers now. */
  | { outcome: 'number-required' }
  | NoRoom;
export type JoinWithNumberOutcome = JoinOutcome | { outcome: 'used' };
export type HandOverOutcome = { outcome: 'handed-over'; last: number } | NoRoom;
export type LookOutcome = { outcome: 'found'; standing: Standing; crowd: Crowd } | NoRoom;
export type EnterOutcome =
  | { outcome: 'granted'; standing: InsideStanding; crowd: Crowd }
  | { outcome: 'not-ready'; standing: Standing; crowd: Crowd }
  | NoRoom;
export type DisconnectOutcome = LeaveOutcome | { outcome: 'kept' };
export type LeaveOutcome =
  | { outcome: 'left'; from: 'lobby' | 'waiting' | 'admitted' | 'active' }
  | { outcome: 'absent' }
  | NoRoom;
export type RenameOutcome = { outcome: 'renamed' | 'kept' | 'absent' | 'drawing' } | NoRoom;
export type TickOutcome =
  | {
      outcome: 'ticked';
      /** Who was let in by this tick, in order. */
      admitted: { visitor: string; number: number }[];
      /** What ended since the last tick. */
      tally: Tally;
      more: boolean;
      pulse: Pulse;
    }
  | NoRoom;
export type DrawOutcome =
  /** There is none, or it is not due. */
  | { outcome: 'nothing' }
  /** One step was done; call again without waiting. */
  | { outcome: 'drawing' }
  | { outcome: 'drawn' }
  | NoRoom;
export type SweepOutcome = { outcome: 'swept'; more: boolean } | NoRoom;
export type ClearOutcome = { outcome: 'cleared'; waiting: number; inside: number } | NoRoom;

export { StoreUnavailableError } from '../platform/store-unavailable-error.ts';

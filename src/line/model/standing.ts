/** A visitor's standing in a line and the state of the whole line: what every door responds with. */
import type { DrawPhase } from './draw-state.ts';
import type { Lane } from './lanes.ts';
import type { Pace } from './pace.ts';
import type { Phase, RoomSettings } from './room-settings.ts';
import type { SiteHealth } from './site-health.ts';
import type { StockView } from './stock.ts';

/** The state of the whole line: the same for every visitor in it. */
export interface Crowd {
  /** When it was so, by the clock of the store. */
  at: number;
  phase: Phase;
  settings: RoomSettings;
  /** In line or in the lobby, `away` included. */
  waiting: number;
  /** Those waiting who are passed over until they are heard from. */
  away: number;
  /** When a visitor who was away last came back to their number, ahead of others; 0 if none has. */
  returnedAt: number;
  admitted: number;
  active: number;
  pace: Pace;
  /** undefined until the shop has reported its stock. */
  stock?: StockView | undefined;
  /** Only in a room that follows the health of the site, after its first tick. */
  health?: SiteHealth;
  /** Only in a room whose order is drawn. */
  draw?: DrawPhase;
}

export type Standing = { state: 'absent' } | LobbyStanding | WaitingStanding | InsideStanding;

/** Kept by visitors who joined before the draw, also after it. */
export interface LotFacts {
  /** The visitor's entry in the draw: pseudorandom, and published with the list. */
  lot: string;
  /** Identifies this place among all that the visitor has had, before and after it has a number. */
  lobbyId: string;
}
interface LaneFacts {
  /** Absent in the ordinary lane. */
  lane?: Extract<Lane, 'priority'>;
}
export interface LobbyStanding extends LotFacts, LaneFacts {
  state: 'lobby';
  joinedAt: number;
}
interface PlaceFacts extends Partial<LotFacts> {
  number: number;
  /** Identifies this place; every token issued for it carries the same id. */
  tokenId: string;
  joinedAt: number;
}
export interface WaitingStanding extends PlaceFacts, LaneFacts {
  state: 'waiting';
  /** 1 is next. Counts every visitor who is admitted up to and including this one if the line does not change. */
  position: number;
}
/** In a claim room admitted means ready: entering before `expiresAt` is guaranteed. */
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

/** The same from joining until the place is gone, even if it gets its number in between. */
export function placeIdOf(standing: PresentStanding): string {
  return standing.state === 'lobby' ? standing.lobbyId : (standing.lobbyId ?? standing.tokenId);
}

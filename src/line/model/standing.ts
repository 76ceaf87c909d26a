/** Where a visitor stands in a line, and how it stands with the line as a whole: what every door tells. */
import type { DrawPhase } from './draw-state.ts';
import type { Lane } from './lanes.ts';
import type { Pace } from './pace.ts';
import type { Phase, RoomSettings } from './room-settings.ts';
import type { StockView } from './stock.ts';

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

/** The same from joining until the place is gone, also where it comes by its number in between. */
export function placeIdOf(standing: PresentStanding): string {
  return standing.state === 'lobby' ? standing.lobbyId : (standing.lobbyId ?? standing.tokenId);
}

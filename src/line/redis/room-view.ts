/** What scripts reply of a room as a whole (includes/room-view.lua), and how a crowd is made of it. */
import type { DrawPhase, LotRange } from '../draw-state.ts';
import { type Pace, paceFrom } from '../estimate.ts';
import type { Crowd } from '../line-store.ts';
import { phaseAt, type RoomOverrides, type RoomSettings, toSettings } from '../room-settings.ts';

export type RoomViewReply = [
  epoch: string,
  overrides: string,
  version: number,
  now: number,
  waiting: number,
  admitted: number,
  active: number,
  windows: string,
  drawPhase: DrawPhase | '',
  ticketKey: string,
  firstNumber: number,
  size: number,
];

export interface RoomView {
  epoch: string;
  version: number;
  overrides: RoomOverrides;
  crowd: Crowd;
  /** undefined in a room without a draw. */
  draw: (LotRange & { ticketKey: string }) | undefined;
}

export interface CrowdFacts {
  at: number;
  overrides: RoomOverrides;
  waiting: number;
  admitted: number;
  active: number;
  /** Admissions and observed ms over 60, 300 and 900 s, as in includes/measure-windows.lua. */
  windows: string;
  /** '' where there is none. */
  draw: DrawPhase | '';
}

export function toRoomView(reply: RoomViewReply, defaults: RoomSettings): RoomView {
  const [epoch, json, version, at, waiting, admitted, active, windows, phase, ticketKey, firstNumber, size] = reply;
  const overrides: RoomOverrides = JSON.parse(json);
  const crowd = toCrowd({ at, overrides, waiting, admitted, active, windows, draw: phase }, defaults);
  return { epoch, version, overrides, crowd, draw: phase === '' ? undefined : { phase, ticketKey, firstNumber, size } };
}

export function toCrowd({ at, overrides, windows, draw, ...counts }: CrowdFacts, defaults: RoomSettings): Crowd {
  const settings = toSettings(defaults, overrides);
  const crowd = { phase: phaseAt(settings, at), settings, ...counts, pace: toPace(windows, at) };
  return draw === '' ? crowd : { ...crowd, draw };
}

function toPace(windows: string, at: number): Pace {
  const sums = windows.split(',').map(Number);
  const bySeconds = new Map([60, 300, 900].map((seconds, i) => [seconds, sums.slice(2 * i, 2 * i + 2)]));
  const over = (_now: number, seconds: number) => {
    const [admitted = 0, observedMs = 0] = bySeconds.get(seconds)!;
    return { admitted, observedMs };
  };
  return paceFrom({ over }, at);
}

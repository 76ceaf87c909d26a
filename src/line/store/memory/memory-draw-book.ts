/** The reads and writes of the draw runner, on lines in memory. */
import type { Clock } from '../../../platform/clock.ts';
import type { DrawBook } from '../../draw/draw-runner.ts';
import { type Draw, LOT_BYTES } from '../../model/draw-state.ts';
import type { Line } from '../../model/line.ts';
import { addPresent, beginDrawIfDue, finishDraw, giveNumbers, readLobby } from '../../rules/draw.ts';

export function createMemoryDrawBook(findLine: (eventId: string) => Line | undefined, clock: Clock): DrawBook {
  /** The line, if its draw still has that seed; the room may have been cleared. */
  function findDrawing(eventId: string, seed: string): (Line & { draw: Draw }) | undefined {
    const line = findLine(eventId);
    return line?.draw?.seed === seed && line.draw.phase === 'drawing' ? (line as Line & { draw: Draw }) : undefined;
  }
  return {
    async open(eventId) {
      const line = findLine(eventId);
      if (line?.draw === undefined) return undefined;
      beginDrawIfDue(line, clock.now());
      const { seed, lotKey, phase, firstNumber, lastArrival, gatheredTo, count } = line.draw;
      const firstInLobby = line.lobby.head()?.number;
      return { seed, lotKey, phase, firstNumber, lastArrival, gatheredTo, count, firstInLobby };
    },
    async readLobby(eventId, after, limit) {
      const line = findLine(eventId);
      return line?.draw?.phase === 'drawing' ? readLobby(line, after, limit) : [];
    },
    async addPresent(eventId, seed, chunk) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) addPresent(line, chunk);
    },
    async readPresent(eventId, from, count) {
      const present = findLine(eventId)?.draw?.present ?? Buffer.alloc(0);
      return present.subarray(from * LOT_BYTES, (from + count) * LOT_BYTES);
    },
    async writeEntries(eventId, seed, from, lots) {
      const draw = findDrawing(eventId, seed)?.draw;
      if (draw === undefined) return;
      if (draw.entries.length === 0) draw.entries = Buffer.alloc(draw.count * LOT_BYTES);
      lots.copy(draw.entries, from * LOT_BYTES);
    },
    async giveNumbers(eventId, seed, chunk) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) giveNumbers(line, chunk);
    },
    async finish(eventId, seed, listHash) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) finishDraw(line, listHash, clock.now());
    },
  };
}

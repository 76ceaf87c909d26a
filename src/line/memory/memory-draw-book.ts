/** What the draw reads and writes, over lines in memory. */
import type { Clock } from '../../platform/clock.ts';
import type { DrawBook } from '../draw-runner.ts';
import { type Draw, TICKET_BYTES } from '../draw-state.ts';
import type { Line } from '../line.ts';
import { addPresent, beginDrawIfDue, finishDraw, giveNumber, readLobby } from '../rules/draw.ts';

export function createMemoryDrawBook(findLine: (eventId: string) => Line | undefined, clock: Clock): DrawBook {
  /** The line, if its draw is still the one with that seed: it may have been cleared meanwhile. */
  function findDrawing(eventId: string, seed: string): (Line & { draw: Draw }) | undefined {
    const line = findLine(eventId);
    return line?.draw?.seed === seed && line.draw.phase === 'drawing' ? (line as Line & { draw: Draw }) : undefined;
  }
  return {
    async open(eventId) {
      const line = findLine(eventId);
      if (line?.draw === undefined) return undefined;
      beginDrawIfDue(line, clock.now());
      const { seed, ticketKey, phase, firstNumber, gatheredTo, count } = line.draw;
      const isGathered = gatheredTo >= line.nextArrival - 1;
      return { seed, ticketKey, phase, firstNumber, gatheredTo, isGathered, count, inLobby: line.lobby.size };
    },
    async readLobby(eventId, after, limit) {
      const line = findLine(eventId);
      if (line?.draw?.phase !== 'drawing') return { visitors: [], to: after };
      const { present, to } = readLobby(line, after, limit);
      return { visitors: present.map(({ visitor }) => visitor), to };
    },
    async addPresent(eventId, seed, chunk) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) addPresent(line, chunk);
    },
    async readPresent(eventId, from, count) {
      const present = findLine(eventId)?.draw?.present ?? Buffer.alloc(0);
      return present.subarray(from * TICKET_BYTES, (from + count) * TICKET_BYTES);
    },
    async writeEntries(eventId, seed, from, tickets) {
      const draw = findDrawing(eventId, seed)?.draw;
      if (draw === undefined) return;
      if (draw.entries.length === 0) draw.entries = Buffer.alloc(draw.count * TICKET_BYTES);
      tickets.copy(draw.entries, from * TICKET_BYTES);
    },
    async listLobby(eventId, limit) {
      const lobby = findLine(eventId)?.lobby;
      const length = Math.min(limit, lobby?.size ?? 0);
      return Array.from({ length }, (_, index) => lobby!.at(index + 1)!.visitor);
    },
    async giveNumbers(eventId, seed, lots) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) for (const { visitor, number } of lots) giveNumber(line, visitor, number);
    },
    async finish(eventId, seed, listHash) {
      const line = findDrawing(eventId, seed);
      if (line !== undefined) finishDraw(line, listHash, clock.now());
    },
  };
}

/** A crowd of constant size: a visitor who has finished is followed by a new one, until the run closes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../random.ts';
import { visitByClaim } from './claim-door.ts';
import { visitByPolling } from './poll-door.ts';
import { visitUnknownEvent, visitWithForgedTokens } from './stranger.ts';
import { visitByStream } from './stream-door.ts';
import { visitTier1 } from './tier1.ts';
import { type CrowdContext, Visitor } from './visitor.ts';

export interface Rooms {
  /** Admits by itself; sells tickets if there is a shop. */
  auto(): string;
  claim: string;
  tier1: string;
  /** The draw that is open for lots, if there is one. */
  draw(): string | undefined;
}

export interface CrowdOptions {
  size: number;
  rooms: Rooms;
  chance: Chance;
  context: CrowdContext;
}

type Behaviour = (visitor: Visitor) => Promise<void>;

/** Resolves when everyone has gone home; never rejects for a visitor's sake. */
export async function runCrowd({ size, rooms, chance, context }: CrowdOptions): Promise<number> {
  let came = 0;
  const seat = async (own: Chance) => {
    // Not all at once.
    await sleep(own.between(0, 2_000));
    while (!context.closing.aborted && !context.recorder.isFull()) {
      came += 1;
      const [eventId, behave] = choose(own, rooms);
      await behave(new Visitor(`v${came}`, eventId, own.fork(), context));
      await sleep(own.between(5, 100));
    }
  };
  await Promise.all(Array.from({ length: size }, () => seat(chance.fork())));
  return came;
}

function choose(chance: Chance, rooms: Rooms): [string, Behaviour] {
  const draw = rooms.draw();
  const at = chance.next();
  if (at < 0.4) return [rooms.auto(), visitByPolling];
  if (at < 0.6) return [rooms.auto(), visitByStream];
  if (at < 0.77) return [rooms.claim, visitByClaim];
  if (at < 0.9) return [rooms.tier1, visitTier1];
  if (at < 0.97) return draw === undefined ? [rooms.auto(), visitByPolling] : [draw, visitByPolling];
  if (at < 0.985) return [`unknown-${chance.between(1, 1e6)}`, visitUnknownEvent];
  return [rooms.auto(), visitWithForgedTokens];
}

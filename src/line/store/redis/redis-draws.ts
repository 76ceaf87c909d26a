/** Draws in Redis: the reads and writes of the draw runner, and the public data. */
import type { RedisClient } from '../../../platform/redis/scripts.ts';
import { toCommitment } from '../../draw/draw.ts';
import type { DrawBook } from '../../draw/draw-runner.ts';
import { LOT_BYTES } from '../../model/draw-state.ts';
import type { RoomOverrides } from '../../model/room-settings.ts';
import type { DrawAnnouncement } from '../draws.ts';
import { addPresent } from './scripts/add-present.ts';
import { finishDraw } from './scripts/finish-draw.ts';
import { giveNumbers } from './scripts/give-numbers.ts';
import { entriesKey, lineKeys, presentKey } from './scripts/keys.ts';
import { openDraw } from './scripts/open-draw.ts';
import { readLobby } from './scripts/read-lobby.ts';
import type { ScriptCaller } from './scripts/script-caller.ts';
import { writeEntries } from './scripts/write-entries.ts';

export function createRedisDrawBook(client: RedisClient, caller: ScriptCaller): DrawBook {
  return {
    open: (eventId) => openDraw(caller, eventId),
    readLobby: (eventId, after, limit) => readLobby(caller, eventId, after, limit),
    addPresent: (eventId, seed, chunk) => addPresent(caller, eventId, seed, chunk),
    readPresent: (eventId, from, count) => caller.guard(() => readLots(client, presentKey(eventId), from, count)),
    writeEntries: (eventId, seed, from, lots) => writeEntries(caller, eventId, seed, { from, lots }),
    giveNumbers: (eventId, seed, chunk) => giveNumbers(caller, eventId, seed, chunk),
    finish: (eventId, seed, listHash) => finishDraw(caller, eventId, seed, listHash),
  };
}

export async function findDraw(client: RedisClient, eventId: string): Promise<DrawAnnouncement | undefined> {
  const [room] = lineKeys(eventId);
  const fields = ['drawPhase', 'drawSeed', 'overrides', 'drawListHash', 'drawCount', 'drawFirst', 'drawnAt'];
  const [phase, seed, overrides, listHash, count, first, drawnAt] = await client.hmget(room!, ...fields);
  if (!phase || !seed || !overrides) return undefined;
  const { opensAt } = JSON.parse(overrides) as RoomOverrides;
  const announced = { opensAt: opensAt!, commitment: toCommitment(seed) };
  if (phase !== 'drawn') return { phase: phase as 'announced' | 'drawing', ...announced };
  const numbers = { entries: Number(count), firstNumber: Number(first), drawnAt: Number(drawnAt) };
  return { phase, ...announced, seed, listHash: listHash!, ...numbers };
}

export function readDrawEntries(client: RedisClient, eventId: string, from: number, count: number): Promise<Buffer> {
  return readLots(client, entriesKey(eventId), from, count);
}

function readLots(client: RedisClient, key: string, from: number, count: number): Promise<Buffer> {
  return client.getrangeBuffer(key, from * LOT_BYTES, (from + count) * LOT_BYTES - 1);
}

import { randomBytes } from 'node:crypto';
import type { DrawSecrets } from '../model/draw-state.ts';

/** Called by the store when a room's draw is announced. */
export function createDrawSecrets(): DrawSecrets {
  return { seed: randomBytes(32).toString('hex'), lotKey: randomBytes(32).toString('hex') };
}

import { randomBytes } from 'node:crypto';
import type { DrawSecrets } from '../model/draw-state.ts';

/** Made with the draw of a room, by the store that keeps it. */
export function createDrawSecrets(): DrawSecrets {
  return { seed: randomBytes(32).toString('hex'), ticketKey: randomBytes(32).toString('hex') };
}

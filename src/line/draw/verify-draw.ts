/** Verifies a draw from its published data alone: pure, it recomputes everything and trusts no stated result. */

import { LOT_BYTES } from '../model/draw-state.ts';
import { findLot, finishAtOnce, lotAt, orderLots, sortLots, toCommitment } from './draw.ts';

export interface PublishedDraw {
  commitment: string;
  seed: string;
  listHash: string;
  entries: number;
  firstNumber: number;
}

export interface DrawCheck {
  what: string;
  ok: boolean;
  /** The value found instead, if the check failed. */
  found?: string;
}

export interface DrawVerdict {
  checks: DrawCheck[];
  /** The number that a lot drew; undefined if it did not take part. */
  numberOf(lot: string): number | undefined;
}

const LOT = /^[0-9a-f]{32}$/;

/** `notedCommitment`: what someone wrote down before the draw. A commitment that changed since proves nothing. */
export function verifyDraw(draw: PublishedDraw, list: string, notedCommitment?: string): DrawVerdict {
  const lines = list.split('\n').filter((line) => line !== '');
  const lots = lines.filter((line) => LOT.test(line));
  const { sorted } = finishAtOnce(sortLots(Buffer.from(lots.join(''), 'hex')));
  const { listHash, places } = finishAtOnce(orderLots(draw.seed, sorted));
  const checks = [
    check('the seed matches the commitment', toCommitment(draw.seed), draw.commitment),
    check('every line of the list is a lot', lots.length, lines.length),
    check('no lot is on the list twice', countDistinct(sorted), lots.length),
    check('the list has as many lots as the draw says', lots.length, draw.entries),
    check('the list matches its hash', listHash, draw.listHash),
  ];
  if (notedCommitment !== undefined) {
    checks.unshift(check('the commitment is the one noted before', draw.commitment, notedCommitment.toLowerCase()));
  }
  return {
    checks,
    numberOf(lot) {
      const index = LOT.test(lot) ? findLot(sorted, lot) : undefined;
      return index === undefined ? undefined : draw.firstNumber + places[index]! - 1;
    },
  };
}

function check(what: string, found: string | number, wanted: string | number): DrawCheck {
  return found === wanted ? { what, ok: true } : { what, ok: false, found: `${found} instead of ${wanted}` };
}

function countDistinct(sorted: Buffer): number {
  const lots = new Set<string>();
  for (let index = 0; index < sorted.length / LOT_BYTES; index += 1) lots.add(lotAt(sorted, index));
  return lots.size;
}

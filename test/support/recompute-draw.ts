/** Recomputes a draw from published data only; shares no code with the program. */
import { createHash } from 'node:crypto';

export function recomputeDraw(
  { seed, firstNumber }: { seed: string; firstNumber: number },
  lots: string[],
): Map<string, number> {
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const listHash = sha256(...[...lots].sort().map((lot) => `${lot}\n`));
  const drawKey = sha256(Buffer.from(seed, 'hex'), listHash);
  const orderKeys = lots.map((lot) => `${sha256(drawKey, lot).toString('hex')} ${lot}`).sort();
  return new Map(orderKeys.map((orderKey, index) => [orderKey.split(' ')[1]!, firstNumber + index]));
}

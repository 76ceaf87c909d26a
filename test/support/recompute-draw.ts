/** The draw once more, from what is published and nothing else: shares no line with the program. */
import { createHash } from 'node:crypto';

export function recomputeDraw(
  { seed, firstNumber }: { seed: string; firstNumber: number },
  tickets: string[],
): Map<string, number> {
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const listHash = sha256(...[...tickets].sort().map((ticket) => `${ticket}\n`));
  const drawKey = sha256(Buffer.from(seed, 'hex'), listHash);
  const lots = tickets.map((ticket) => `${sha256(drawKey, ticket).toString('hex')} ${ticket}`).sort();
  return new Map(lots.map((lot, index) => [lot.split(' ')[1]!, firstNumber + index]));
}

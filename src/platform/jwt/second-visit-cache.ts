/**
 * Tells who comes again from who comes for the first time, so that only the former are remembered. A crowd arrives all
 * at once and asks its second question spread over the next half minute: keeping a token takes as long as verifying it,
 * and that is better spent then.
 *
 * A byte each, found by the end of the token, which is a part of its signature and so as good as random. Two tokens that
 * meet in a byte cost one of them another verification, and one in 255 of those is remembered at once: either is harmless.
 */
const MARKS = 2 ** 20;
const SLOT_SHIFT = 12;
const READ_CHARACTERS = 8;
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Whether the token came before; notes that it came. */
export function createSecondVisitCache(): (token: string) => boolean {
  const marks = new Uint8Array(MARKS);
  return (token) => {
    const hash = hashOfEnd(token);
    const slot = hash >>> SLOT_SHIFT;
    const mark = hash & 0xff || 1;
    if (marks[slot] === mark) return true;
    marks[slot] = mark;
    return false;
  };
}

function hashOfEnd(token: string): number {
  let hash = FNV_BASIS;
  for (let i = Math.max(0, token.length - READ_CHARACTERS); i < token.length; i += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(i), FNV_PRIME);
  }
  return hash;
}

/**
 * Tells tokens that come again from tokens that come for the first time, so that only the former are remembered. A crowd
 * joins all at once with tokens that are all new: remembering each costs more than verifying it, in time and in garbage,
 * and would push out the tokens of those who poll.
 *
 * One byte per token, found by the end of its signature, which is as good as random. Two tokens that share a byte cost
 * one of them another verification; neither is ever taken for the other.
 */
const MARKS = 2 ** 20;
const SLOT_SHIFT = 12;
const READ_CHARACTERS = 8;
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns whether the token was seen before, and notes that it was seen. */
export function createSeenBefore(): (token: string) => boolean {
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

/** 32 bits of the end of a signature. */
export function hashOfEnd(token: string): number {
  let hash = FNV_BASIS;
  for (let i = Math.max(0, token.length - READ_CHARACTERS); i < token.length; i += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(i), FNV_PRIME);
  }
  return hash;
}

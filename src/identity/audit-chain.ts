/**
 * The hash chain of the audit trail. The hash of an entry is SHA-256 over the hash of the entry before, its number and its
 * canonical JSON, each on a line; in hex. Before the first entry stand 64 zeros.
 *
 * The chain shows that an entry was changed, inserted, moved or removed in the middle. It cannot show that the last
 * entries were removed, nor that everything was rewritten: for that, compare with a head that was stored elsewhere (an
 * anchor).
 */
import { createHash } from 'node:crypto';
import type { ChainedEntry, WrittenEntry } from './audit-entries.ts';

export const FIRST_HASH = '0'.repeat(64);

/** The number and hash of an entry. */
export interface ChainHead {
  seq: number;
  hash: string;
}

/** An entry as it was hashed. */
export interface Link extends ChainHead {
  /** Canonical JSON. */
  entry: string;
}

export type ChainReport =
  | { outcome: 'holds'; entries: number; head: ChainHead | undefined }
  | { outcome: 'broken'; entries: number; at: number; problem: string };

export function hashEntry(before: string, seq: number, entry: string): string {
  return createHash('sha256').update(`${before}\n${seq}\n${entry}`).digest('hex');
}

export function toLink(before: ChainHead | undefined, written: WrittenEntry): Link {
  const seq = (before?.seq ?? 0) + 1;
  const entry = toCanonicalJson(written);
  return { seq, entry, hash: hashEntry(before?.hash ?? FIRST_HASH, seq, entry) };
}

/** A line of a file, without the line break. */
export function toLine({ entry, seq, hash }: Link): string {
  return JSON.stringify({ ...(JSON.parse(entry) as object), seq, hash });
}

/** undefined: the line has no place in a chain. */
export function toLinkOf({ seq, hash, ...written }: ChainedEntry): Link | undefined {
  if (typeof seq !== 'number' || typeof hash !== 'string') return undefined;
  return { seq, hash, entry: toCanonicalJson(written) };
}

/** JSON with sorted keys and no white space, so that the same content always has the same hash (as RFC 8785). */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => toCanonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const plain = (value as { toJSON?: () => unknown }).toJSON;
  if (typeof plain === 'function') return toCanonicalJson(plain.call(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function');
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalJson(field)}`).join(',')}}`;
}

/** Checks a chain link by link, from its first entry. */
export class ChainCheck {
  readonly #anchor: ChainHead | undefined;
  #head: ChainHead | undefined;
  #broken: { at: number; problem: string } | undefined;

  /** `anchor`: a head that was stored elsewhere. */
  constructor(anchor?: ChainHead) {
    this.#anchor = anchor;
  }

  /** False once the chain is broken: later links say nothing more. */
  add({ seq, entry, hash }: Link): boolean {
    const expected = (this.#head?.seq ?? 0) + 1;
    if (seq !== expected) return this.#break(expected, `expected entry ${expected}, found entry ${seq}`);
    if (hash !== hashEntry(this.#head?.hash ?? FIRST_HASH, seq, entry)) {
      return this.#break(seq, 'its hash does not match its content and the entry before');
    }
    if (seq === this.#anchor?.seq && hash !== this.#anchor.hash) {
      return this.#break(seq, 'its hash differs from the anchor: the trail was rewritten');
    }
    this.#head = { seq, hash };
    return true;
  }

  /** For something in the place of the next entry that is none. */
  addUnreadable(problem: string): false {
    return this.#break((this.#head?.seq ?? 0) + 1, problem);
  }

  report(): ChainReport {
    const entries = this.#head?.seq ?? 0;
    if (this.#broken === undefined && this.#anchor !== undefined && this.#anchor.seq > entries) {
      this.#break(entries + 1, `the trail ends at entry ${entries}, before the anchored entry ${this.#anchor.seq}`);
    }
    if (this.#broken !== undefined) return { outcome: 'broken', entries, ...this.#broken };
    return { outcome: 'holds', entries, head: this.#head };
  }

  #break(at: number, problem: string): false {
    this.#broken ??= { at, problem };
    return false;
  }
}

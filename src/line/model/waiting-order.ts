/**
 * Waiting visitors ordered by number: insert and remove anywhere, rank of a number, item at a rank, head. Every
 * operation is O(log n), wherever in the line it happens.
 *
 * Numbers are grouped into chunks of 256. Each chunk has a bitmap of its members; a Fenwick tree over the chunks counts
 * the members of all chunks before one. A rank is then one walk up the tree (12 steps at a million) and a population
 * count over at most 8 words. A chunk exists only while it has members, so 256 past numbers cost 4 bytes.
 */
const CHUNK_BITS = 8;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const WORDS = CHUNK_SIZE / 32;

interface Chunk<T> {
  count: number;
  readonly present: Uint32Array;
  readonly items: (T | undefined)[];
}

export class WaitingOrder<T> {
  readonly #chunks = new Map<number, Chunk<T>>();
  /** Fenwick tree, 1-based, over chunk indexes; its length stays a power of two plus one. */
  #tree = new Int32Array(2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return this.get(number) !== undefined;
  }

  get(number: number): T | undefined {
    return this.#chunks.get(chunkOf(number))?.items[offsetOf(number)];
  }

  /** Puts `item` at `number`; false if that number is taken. */
  insert(number: number, item: T): boolean {
    const index = chunkOf(number);
    const chunk = this.#chunks.get(index) ?? this.#addChunk(index);
    const offset = offsetOf(number);
    if (chunk.items[offset] !== undefined) return false;
    chunk.items[offset] = item;
    chunk.present[offset >> 5]! |= 1 << (offset & 31);
    chunk.count += 1;
    this.#count(index, 1);
    return true;
  }

  /** Removes `number`; undefined if it was not there. */
  remove(number: number): T | undefined {
    const index = chunkOf(number);
    const chunk = this.#chunks.get(index);
    const offset = offsetOf(number);
    const item = chunk?.items[offset];
    if (chunk === undefined || item === undefined) return undefined;
    chunk.items[offset] = undefined;
    chunk.present[offset >> 5]! &= ~(1 << (offset & 31));
    chunk.count -= 1;
    if (chunk.count === 0) this.#chunks.delete(index);
    this.#count(index, -1);
    return item;
  }

  /** The 1-based rank that `number` has, or would have in the line. */
  rankOf(number: number): number {
    const index = chunkOf(number);
    return this.#countBefore(index) + this.#countInChunkBefore(index, offsetOf(number)) + 1;
  }

  /** The item at the 1-based `rank`. */
  at(rank: number): T | undefined {
    const number = this.numberAt(rank);
    return number === undefined ? undefined : this.get(number);
  }

  /** The number at the 1-based `rank`, found without loading its item. */
  numberAt(rank: number): number | undefined {
    if (rank < 1 || rank > this.#size) return undefined;
    let index = 0;
    let left = rank;
    for (let step = this.#tree.length >> 1; step > 0; step >>= 1) {
      const next = index + step;
      if (next < this.#tree.length && this.#tree[next]! < left) {
        index = next;
        left -= this.#tree[next]!;
      }
    }
    return index * CHUNK_SIZE + this.#offsetInChunk(index, left);
  }

  head(): T | undefined {
    return this.at(1);
  }

  #addChunk(index: number): Chunk<T> {
    const chunk: Chunk<T> = { count: 0, present: new Uint32Array(WORDS), items: new Array(CHUNK_SIZE) };
    this.#chunks.set(index, chunk);
    while (index + 1 >= this.#tree.length) this.#grow();
    return chunk;
  }

  /** Doubles the tree. The new last node covers everything; the other new nodes cover nothing yet. */
  #grow(): void {
    const grown = new Int32Array((this.#tree.length - 1) * 2 + 1);
    grown.set(this.#tree);
    grown[grown.length - 1] = this.#size;
    this.#tree = grown;
  }

  #count(index: number, by: 1 | -1): void {
    this.#size += by;
    for (let node = index + 1; node < this.#tree.length; node += node & -node) this.#tree[node]! += by;
  }

  #countBefore(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.#tree.length - 1); node > 0; node -= node & -node) sum += this.#tree[node]!;
    return sum;
  }

  #countInChunkBefore(index: number, offset: number): number {
    const chunk = this.#chunks.get(index);
    if (chunk === undefined) return 0;
    const word = offset >> 5;
    let sum = bitCount(chunk.present[word]! & ((1 << (offset & 31)) - 1));
    for (let i = 0; i < word; i += 1) sum += bitCount(chunk.present[i]!);
    return sum;
  }

  #offsetInChunk(index: number, nth: number): number {
    const { present } = this.#chunks.get(index)!;
    let left = nth;
    let word = 0;
    for (let inWord = bitCount(present[word]!); inWord < left; inWord = bitCount(present[word]!)) {
      left -= inWord;
      word += 1;
    }
    let bits = present[word]!;
    for (; left > 1; left -= 1) bits &= bits - 1;
    return (word << 5) + lowestBit(bits);
  }
}

// Division, not a shift: numbers may pass 2^31.
const chunkOf = (number: number): number => Math.floor(number / CHUNK_SIZE);
const offsetOf = (number: number): number => number % CHUNK_SIZE;
const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** A set of mostly consecutive numbers: one bit each, in chunks that are created with their first member. */
const CHUNK_SIZE = 1024;

export class NumberSet {
  readonly #chunks = new Map<number, Uint32Array>();

  has(number: number): boolean {
    const word = this.#chunks.get(Math.floor(number / CHUNK_SIZE))?.[wordOf(number)] ?? 0;
    return (word & bitOf(number)) !== 0;
  }

  add(number: number): void {
    const index = Math.floor(number / CHUNK_SIZE);
    const chunk = this.#chunks.get(index) ?? new Uint32Array(CHUNK_SIZE / 32);
    chunk[wordOf(number)]! |= bitOf(number);
    this.#chunks.set(index, chunk);
  }

  /** The members, one list per chunk that has any. */
  *chunks(): Generator<number[]> {
    for (const index of this.#chunks.keys()) {
      const first = index * CHUNK_SIZE;
      yield Array.from({ length: CHUNK_SIZE }, (_, i) => first + i).filter((number) => this.has(number));
    }
  }
}

const wordOf = (number: number): number => (number % CHUNK_SIZE) >> 5;
const bitOf = (number: number): number => 1 << ((number % CHUNK_SIZE) & 31);

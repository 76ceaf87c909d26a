/**
 * A min-heap of items by the time at which each should be checked again. It is lazy: an item whose deadline has moved is
 * returned at its old deadline, and the caller pushes it again. So moving a deadline because a visitor was seen, which is
 * the hot path, costs nothing here.
 */
export class DeadlineHeap<T> {
  readonly #times: number[] = [];
  readonly #items: T[] = [];

  get size(): number {
    return this.#times.length;
  }

  /** The earliest deadline; infinity if the heap is empty. */
  get next(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  push(at: number, item: T): void {
    let index = this.#times.length;
    this.#times.push(at);
    this.#items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#times[parent]! <= at) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the item with the earliest deadline if that is not after `now`. */
  popDue(now: number): T | undefined {
    const first = this.#times[0];
    if (first === undefined || first > now) return undefined;
    const item = this.#items[0]!;
    const lastTime = this.#times.pop()!;
    const lastItem = this.#items.pop()!;
    if (this.#times.length > 0) {
      this.#times[0] = lastTime;
      this.#items[0] = lastItem;
      this.#sink();
    }
    return item;
  }

  clear(): void {
    this.#times.length = 0;
    this.#items.length = 0;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#times.length) return;
      const right = left + 1;
      const child = right < this.#times.length && this.#times[right]! < this.#times[left]! ? right : left;
      if (this.#times[index]! <= this.#times[child]!) return;
      this.#swap(index, child);
      index = child;
    }
  }

  #swap(a: number, b: number): void {
    const time = this.#times[a]!;
    this.#times[a] = this.#times[b]!;
    this.#times[b] = time;
    const item = this.#items[a]!;
    this.#items[a] = this.#items[b]!;
    this.#items[b] = item;
  }
}

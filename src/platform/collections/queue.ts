/** First in, first out. Unlike `Array.shift`, taking the first costs the same however many there are. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#first];
    this.#first += 1;
    if (this.#first * 2 > this.#items.length) this.#dropTaken();
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#first = 0;
  }

  #dropTaken(): void {
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}

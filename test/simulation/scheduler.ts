/**
 * Virtual time: work is done in the order of its time, and of its request where times are equal. Between two pieces of work
 * all promises settle, so the same seed gives the same run.
 */
interface Work {
  at: number;
  order: number;
  run: () => void;
}

export class Scheduler {
  now = 0;
  readonly #heap: Work[] = [];
  #order = 0;

  after(ms: number, run: () => void): void {
    this.#order += 1;
    const work = { at: this.now + Math.max(0, ms), order: this.#order, run };
    let index = this.#heap.push(work) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(work, this.#heap[parent]!)) break;
      this.#heap[index] = this.#heap[parent]!;
      index = parent;
    }
    this.#heap[index] = work;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Does all work up to `until`, or until `isOver`. */
  async run(until: number, isOver: () => boolean): Promise<void> {
    while (this.#heap.length > 0 && this.#heap[0]!.at <= until && !isOver()) {
      const work = this.#pop();
      this.now = work.at;
      work.run();
      await settled();
    }
    this.now = until;
  }

  #pop(): Work {
    const first = this.#heap[0]!;
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1;
      if (!isBefore(this.#heap[child]!, last)) break;
      this.#heap[index] = this.#heap[child]!;
      index = child;
    }
    this.#heap[index] = last;
    return first;
  }
}

function isBefore(a: Work, b: Work): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A turn of the real event loop ends when no promise has a continuation left. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Handles messages of a partition one after the other, and partitions beside each other; takes on a bounded number. */
export interface PartitionQueuesOptions<T> {
  /** Messages taken on and not handled yet, at most. */
  most: number;
  /** False: it could not be handled and nothing behind it may be. */
  handle: (message: T) => Promise<boolean>;
  onHandled: (message: T) => void;
}

export class PartitionQueues<T extends { topic: string; partition: number }> {
  readonly #options: PartitionQueuesOptions<T>;
  readonly #queues = new Map<string, T[]>();
  readonly #workers = new Set<Promise<void>>();
  #underWay = 0;
  #isStopping = false;
  #onRoom: (() => void) | undefined;

  constructor(options: PartitionQueuesOptions<T>) {
    this.#options = options;
  }

  /** Resolves when there is room for another. For one caller at a time. */
  async add(message: T): Promise<void> {
    if (this.#isStopping) return;
    this.#underWay += 1;
    this.#enqueue(message);
    if (this.#underWay < this.#options.most) return;
    await new Promise<void>((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** What has been begun is brought to its end, the rest is dropped. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers);
  }

  #enqueue(message: T): void {
    const name = `${message.topic}:${message.partition}`;
    const queue = this.#queues.get(name);
    if (queue !== undefined) {
      queue.push(message);
      return;
    }
    const mine = [message];
    this.#queues.set(name, mine);
    const worker = this.#work(name, mine);
    this.#workers.add(worker);
    worker.finally(() => this.#workers.delete(worker));
  }

  async #work(name: string, queue: T[]): Promise<void> {
    for (let next = queue.shift(); next !== undefined && !this.#isStopping; next = queue.shift()) {
      if (!(await this.#options.handle(next))) break;
      this.#options.onHandled(next);
      this.#underWay -= 1;
      this.#tellRoom();
    }
    this.#queues.delete(name);
    this.#tellRoom();
  }

  #tellRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }
}

/** A bounded queue for each partition: messages of one are handled in order and in batches, partitions in parallel. */
export interface PartitionQueuesOptions<T> {
  /** The most messages queued in total. */
  most: number;
  /** The largest batch. */
  together: number;
  /** False: the batch was not handled, and nothing behind it may be. */
  handle: (messages: readonly T[]) => Promise<boolean>;
  /** The message and all before it in its partition were handled. */
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

  /** Resolves when there is room for another message. One caller at a time. */
  async add(message: T): Promise<void> {
    if (this.#isStopping) return;
    this.#underWay += 1;
    this.#enqueue(message);
    if (this.#underWay < this.#options.most) return;
    await new Promise<void>((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Finishes the current batches and drops the rest. */
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
    while (queue.length > 0 && !this.#isStopping) {
      const next = queue.splice(0, this.#options.together);
      if (!(await this.#options.handle(next))) break;
      this.#options.onHandled(next.at(-1)!);
      this.#underWay -= next.length;
      this.#signalRoom();
    }
    this.#queues.delete(name);
    this.#signalRoom();
  }

  #signalRoom(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }
}

/**
 * Combines yes-or-no lookups into batches: those of one turn of the event loop, and those that arrive while a batch is
 * under way, become one call. So the number of queries depends on how fast the database is, not on how many visitors come.
 */
interface Lookup {
  key: string;
  resolve(isFound: boolean): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 1_000;
/** Beyond this many the wait would be longer than any visitor stays. */
const MAX_WAITING = 50_000;

/** `find` returns the keys for which the answer is yes. */
export function createBatchedLookup(
  find: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): (key: string) => Promise<boolean> {
  let waiting: Lookup[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      await runBatch(batch, find);
    }
    isRunning = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) return reject(new Error(`too many lookups are waiting (${MAX_WAITING})`));
      waiting.push({ key, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(runAll);
    });
}

async function runBatch(
  batch: readonly Lookup[],
  find: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  try {
    const found = await find([...new Set(batch.map(({ key }) => key))]);
    for (const { key, resolve } of batch) resolve(found.has(key));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

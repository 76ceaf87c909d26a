/**
 * Yes-or-no questions, of which a crowd asks many at once: those of one turn of the event loop, and those that come while
 * an answer is under way, go out as one. So a database is asked as often as it answers, and not as often as people come.
 */
interface Question {
  key: string;
  resolve(answer: boolean): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 1_000;
/** Beyond this many, waiting longer helps nobody. */
const MOST_WAITING = 50_000;

/** `find` answers which of the keys it is true of. */
export function createBatchedLookup(
  find: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): (key: string) => Promise<boolean> {
  let waiting: Question[] = [];
  let isAsking = false;

  async function askAll(): Promise<void> {
    while (waiting.length > 0) {
      const questions = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await answer(questions, find);
    }
    isAsking = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MOST_WAITING) return reject(new Error(`${MOST_WAITING} questions wait for an answer`));
      waiting.push({ key, resolve, reject });
      if (isAsking) return;
      isAsking = true;
      setImmediate(askAll);
    });
}

async function answer(
  questions: readonly Question[],
  find: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  try {
    const found = await find([...new Set(questions.map(({ key }) => key))]);
    for (const { key, resolve } of questions) resolve(found.has(key));
  } catch (error) {
    for (const { reject } of questions) reject(error);
  }
}

/** Finds the smallest part of a run that still breaks the same promise: faults and persons are left out one by one. */
import { type RunOptions, type RunResult, run } from './world.ts';

const MOST_LINES = 80;

/** What to print of a seed that breaks a promise. */
export async function explain(options: RunOptions): Promise<string> {
  const smallest = await shrink(options);
  const { violations, faults, history } = await run({ ...smallest, traces: true });
  const [first] = violations;
  if (first === undefined) return `seed ${options.seed} breaks no promise`;
  const kept = faults.filter((_, i) => !smallest.withoutFaults?.has(i));
  return [
    `seed ${options.seed}: ${first.promise}`,
    `${(first.at / 1000).toFixed(3)} ${first.text}`,
    `faults: ${kept.length === 0 ? 'none' : kept.map((fault) => JSON.stringify(fault)).join(', ')}`,
    `again: npm run simulate-line -- --seed ${options.seed}`,
    ...history.slice(-MOST_LINES).map((line) => `  ${line}`),
  ].join('\n');
}

async function shrink(options: RunOptions): Promise<RunOptions> {
  const first = await run(options);
  const promise = first.violations[0]?.promise;
  if (promise === undefined) return options;
  let smallest = options;
  const tryWithout = async (name: 'withoutFaults' | 'withoutPersons', index: number) => {
    const smaller = { ...smallest, [name]: new Set([...(smallest[name] ?? []), index]) };
    const result: RunResult = await run(smaller);
    if (result.violations[0]?.promise === promise) smallest = smaller;
  };
  for (let i = 0; i < first.faults.length; i += 1) await tryWithout('withoutFaults', i);
  for (let i = 0; i < first.persons; i += 1) await tryWithout('withoutPersons', i);
  return smallest;
}

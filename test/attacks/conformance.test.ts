/** The same attacks on every way to run the gate, with real servers. */
import { describe, expect, it } from 'vitest';
import { createVisitor } from '../gate/proxy/run-gate.ts';
import { cases, findProblem, type HeaderList, sendRaw, type Visitors } from './conformance.ts';
import { adapters } from './conformance-adapters.ts';

function createVisitors(): Visitors {
  const [mina, jun] = [createVisitor('concert', 'mina'), createVisitor('quiet', '준 100%')];
  const list = (headers: Record<string, string>) => Object.entries(headers) as HeaderList;
  return {
    mina: list(mina.hasWaited),
    jun: list(jun.hasWaited),
    thief: list({ ...mina.hasWaited, ...jun.signedIn }),
  };
}

describe.each(adapters)('$name', ({ isInProcess, start }) => {
  it('refuses every attack, and tells the site the event and the visitor of honest requests', async () => {
    const { url, seen } = await start();
    const visitors = createVisitors();
    const problems: string[] = [];
    for (const { title, request, expected, notInProcess } of cases) {
      if (isInProcess && notInProcess !== undefined) continue;
      seen.length = 0;
      const status = await sendRaw(url, request(visitors));
      const problem = findProblem(expected, status, seen);
      if (problem !== undefined) problems.push(`${title}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

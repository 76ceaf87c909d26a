/** A terminal that records its output. */
import type { Terminal } from '../../src/cli/command.ts';

export interface TestTerminal extends Terminal {
  printed(): string;
  failed(): string;
}

export function createTestTerminal(): TestTerminal {
  const lines: string[] = [];
  const problems: string[] = [];
  return {
    print: (text) => lines.push(text),
    fail: (text) => problems.push(text),
    overwrite: undefined,
    columns: 80,
    printed: () => lines.join('\n'),
    failed: () => problems.join('\n'),
  };
}

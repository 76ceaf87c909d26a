export interface Failure {
  project: string;
  file: string;
  error: string;
}

export interface Outcome {
  isPassed: boolean;
  counts?: { passed: number; failed: number; skipped: number };
  failures: Failure[];
  strayErrors?: number;
}

export interface RunOptions {
  runVitest(args: string[]): Outcome;
  isCi: boolean;
  print?(line: string): void;
}

export const MOST_RERUNS: number;
export function runTests(args: string[], options: RunOptions): boolean;
export function startVitest(args: string[], node?: string): Outcome;

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder, removed after the test, also while a process that is ending still writes to it. */
export function tempFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fairline-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10 }));
  return dir;
}

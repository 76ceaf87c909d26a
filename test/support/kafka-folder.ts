/** The folder of the broker that all suites of a run share: where it says which process it is, and how it ends. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SharedBroker {
  port: number;
  pid: number;
}

export function writeBroker(dir: string, broker: SharedBroker): void {
  // Whoever reads it finds all of it or nothing.
  writeFileSync(`${noteIn(dir)}.new`, JSON.stringify(broker));
  renameSync(`${noteIn(dir)}.new`, noteIn(dir));
}

export function readBroker(dir: string): SharedBroker | undefined {
  return existsSync(noteIn(dir)) ? JSON.parse(readFileSync(noteIn(dir), 'utf8')) : undefined;
}

/** After the run, by whoever made the folder. */
export function endSharedKafka(dir: string): void {
  const broker = readBroker(dir);
  try {
    if (broker !== undefined) process.kill(broker.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

const noteIn = (dir: string) => join(dir, 'broker.json');

/** The folder of the Kafka broker that all suites of a run share: it records its port and pid. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SharedBroker {
  port: number;
  pid: number;
}

export function writeBroker(dir: string, broker: SharedBroker): void {
  // Atomic: readers see the complete file or none.
  writeFileSync(`${noteIn(dir)}.new`, JSON.stringify(broker));
  renameSync(`${noteIn(dir)}.new`, noteIn(dir));
}

export function readBroker(dir: string): SharedBroker | undefined {
  return existsSync(noteIn(dir)) ? JSON.parse(readFileSync(noteIn(dir), 'utf8')) : undefined;
}

/** Called once after the run. */
export function endSharedKafka(dir: string): void {
  const broker = readBroker(dir);
  try {
    if (broker !== undefined) process.kill(broker.pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

const noteIn = (dir: string) => join(dir, 'broker.json');

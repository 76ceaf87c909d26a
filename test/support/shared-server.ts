/**
 * A server that all suites of a run share. The first suite that needs it starts it; before-all.ts ends it. Its folder has a
 * note with its port and pid.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

export interface SharedServer {
  port: number;
  pid: number;
  /** Ends it at once, and its children. */
  signal: 'SIGKILL' | 'SIGQUIT';
}

/** The server in this folder. `start` is called by one suite only, and must not end with it. */
export async function findOrStart(dir: string, start: () => Promise<SharedServer>): Promise<SharedServer> {
  if (isFirst(dir)) writeNote(dir, await start());
  return until('another suite to start the server', () => readNote(dir));
}

/** Called once after the run. */
export function endSharedServer(dir: string): void {
  const server = readNote(dir);
  try {
    if (server !== undefined) process.kill(server.pid, server.signal);
  } catch {
    // It has already exited.
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
}

function isFirst(dir: string): boolean {
  try {
    mkdirSync(join(dir, 'taken'));
    return true;
  } catch {
    return false;
  }
}

function writeNote(dir: string, server: SharedServer): void {
  // Atomic: readers see the complete file or none.
  writeFileSync(`${noteIn(dir)}.new`, JSON.stringify(server));
  renameSync(`${noteIn(dir)}.new`, noteIn(dir));
}

function readNote(dir: string): SharedServer | undefined {
  return existsSync(noteIn(dir)) ? JSON.parse(readFileSync(noteIn(dir), 'utf8')) : undefined;
}

const noteIn = (dir: string) => join(dir, 'server.json');

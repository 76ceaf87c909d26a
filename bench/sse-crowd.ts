/**
 * Many clients of the stream door, in processes of their own: each has a limit of open files, and each address has too few
 * ports for all of them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Received } from './sse-clients.ts';

export interface Crowd {
  open(count: number): Promise<void>;
  /** What all clients have received since they were asked last. */
  receive(): Promise<Received>;
  close(): void;
}

const STREAMS_PER_PROCESS = 10_000;

export function createCrowd(port: number, path: string, size: number): Crowd {
  const processes = Array.from({ length: Math.ceil(size / STREAMS_PER_PROCESS) }, (_, i) => {
    const args = [`${port}`, path, `127.0.0.${i + 1}`];
    return fork(fileURLToPath(new URL('./sse-clients.js', import.meta.url)), args, { execArgv: [] });
  });

  return {
    async open(count) {
      const share = Math.ceil(count / processes.length);
      await Promise.all(
        processes.map((process, i) => ask(process, { open: Math.max(0, Math.min(share, count - i * share)) })),
      );
    },
    async receive() {
      const all = await Promise.all(processes.map((process) => ask(process, {})));
      return {
        roomTimes: all.flatMap(({ roomTimes }) => roomTimes),
        admissionDelays: all.flatMap(({ admissionDelays }) => admissionDelays),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    close() {
      for (const process of processes) process.kill();
    },
  };
}

/** Each request gets one answer, and requests are not made at once. */
function ask(process: ChildProcess, request: { open?: number }): Promise<Received> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) => reject(new Error(`a process of clients ended with ${code}`));
    process.once('exit', end);
    process.once('message', (answer) => {
      process.off('exit', end);
      resolve(answer as Received);
    });
    process.send(request);
  });
}

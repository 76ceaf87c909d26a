/** Several processes that rehearse together, each with its part of the visitors. */
import { type ChildProcess, fork } from 'node:child_process';
import type { FindingsRecord } from './findings.ts';
import { mergeFindings, type SentFindings } from './merge-findings.ts';
import { type Progress, type RehearsalTask, runTask, splitTask, type TaskWatch } from './task.ts';

export type ToWorker = { kind: 'start'; task: RehearsalTask; startsAtNs: bigint } | { kind: 'stop' };
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'findings'; findings: SentFindings };

/** A process needs JavaScript. Tests run TypeScript, so they use the compiled file. */
const WORKER_FILE = import.meta.url.endsWith('.ts')
  ? new URL('../../dist/src/rehearse/worker-process.js', import.meta.url)
  : new URL('./worker-process.js', import.meta.url);

export async function runOnWorkers(task: RehearsalTask, workers: number, watch: TaskWatch): Promise<FindingsRecord> {
  if (workers === 1) return runTask(task, process.hrtime.bigint(), watch);
  const progress: Progress[] = [];
  const all = Array.from({ length: workers }, (_, nth) => {
    return new Worker((one) => {
      progress[nth] = one;
      watch.onProgress(sumUp(progress));
    });
  });
  const stop = () => {
    for (const worker of all) worker.send({ kind: 'stop' });
  };
  try {
    await Promise.all(all.map(({ ready }) => ready));
    const startsAtNs = process.hrtime.bigint();
    for (const [nth, part] of splitTask(task, workers).entries()) {
      all[nth]!.send({ kind: 'start', task: part, startsAtNs });
    }
    watch.signal.addEventListener('abort', stop, { once: true });
    if (watch.signal.aborted) stop();
    return mergeFindings(await Promise.all(all.map(({ findings }) => findings)));
  } finally {
    watch.signal.removeEventListener('abort', stop);
    for (const worker of all) worker.kill();
  }
}

class Worker {
  readonly ready: Promise<void>;
  readonly findings: Promise<SentFindings>;
  readonly #child: ChildProcess;

  constructor(onProgress: (progress: Progress) => void) {
    // Structured clones: findings have Maps.
    this.#child = fork(WORKER_FILE, { serialization: 'advanced' });
    let isReady = () => {};
    let fail = (_error: Error) => {};
    this.ready = new Promise((resolve, reject) => {
      isReady = resolve;
      fail = reject;
    });
    this.findings = new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') isReady();
        else if (message.kind === 'progress') onProgress(message.progress);
        else resolve(message.findings);
      });
      const stopped = (why: string) => {
        const error = new Error(`a worker of the rehearsal stopped: ${why}`);
        fail(error);
        reject(error);
      };
      this.#child.once('error', (error) => stopped(error.message));
      this.#child.once('exit', (code, signal) => stopped(signal ?? `exit code ${code}`));
    });
    // The first failure ends the rehearsal; those of the other workers are its consequence.
    for (const promise of [this.ready, this.findings]) promise.catch(() => {});
  }

  send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function sumUp(all: readonly (Progress | undefined)[]): Progress {
  const known = all.filter((one) => one !== undefined);
  const rooms = known.flatMap(({ room }) => room ?? []).sort((a, b) => a.atMs - b.atMs);
  return {
    finished: known.reduce((sum, { finished }) => sum + finished, 0),
    errors: known.reduce((sum, { errors }) => sum + errors, 0),
    room: rooms.at(-1),
  };
}

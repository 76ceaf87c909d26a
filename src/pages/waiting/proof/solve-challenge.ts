/** Solves a challenge in a worker; where workers do not start, on the page in short slices. */
import type { Challenge, findProof as FindProof, Solved } from './find-proof.ts';

export type { Challenge, Solved };

const SLICE = 5_000;

export async function solveChallenge(challenge: Challenge): Promise<Solved> {
  return (await solveInWorker(challenge).catch(() => undefined)) ?? solveInSlices(challenge);
}

const besideScript = (file: string) => import.meta.url.replace(/[^/]*$/, file);

function solveInWorker(challenge: Challenge): Promise<Solved> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(besideScript('proof.js'));
    const end = (finish: () => void) => {
      worker.terminate();
      finish();
    };
    worker.onmessage = ({ data }: MessageEvent<Solved>) => end(() => resolve(data));
    worker.onerror = () => end(() => reject(new Error('the worker did not start')));
    worker.postMessage(challenge);
  });
}

/** Loaded only where it is needed: most pages never solve a proof, and most of those have workers. */
async function solveInSlices(challenge: Challenge): Promise<Solved> {
  const { findProof }: { findProof: typeof FindProof } = await import(/* @vite-ignore */ besideScript('find-proof.js'));
  for (let from = 0; ; from += SLICE) {
    const solved = findProof(challenge, from, SLICE);
    if (solved !== undefined) return solved;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

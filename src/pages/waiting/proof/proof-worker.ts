/** The worker that solves challenges, so that the page stays responsive. */
import { type Challenge, findProof } from './find-proof.ts';

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  postMessage(findProof(data, 0, Number.POSITIVE_INFINITY));
});

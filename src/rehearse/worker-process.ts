/** The entry point of a worker: rehearses with the visitors that it is sent, and sends what they found. */
import { toSent } from './merge-findings.ts';
import { runTask } from './task.ts';
import type { FromWorker, ToWorker } from './workers.ts';

const stopping = new AbortController();

process.on('message', async (message: ToWorker) => {
  if (message.kind === 'stop') {
    stopping.abort();
    return;
  }
  const findings = await runTask(message.task, message.startsAtNs, {
    signal: stopping.signal,
    onProgress: (progress) => send({ kind: 'progress', progress }),
  });
  send({ kind: 'findings', findings: toSent(findings) });
});
// A terminal signals all processes. The first one says when to stop.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit(1));
send({ kind: 'ready' });

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}

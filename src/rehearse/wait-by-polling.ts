/** Waits by polling, at the interval of the last response. */
import { jitter, type Standing, type VisitorRun } from './visitor-run.ts';

/** Resolves when the visitor is inside, or stays away as planned. */
export async function waitByPolling(run: VisitorRun): Promise<Standing | 'away'> {
  const { eventId } = run.options;
  const joined = await run.send('POST', `/api/queue/check/${eventId}`, { kind: 'join' });
  run.noteJoin(joined.sentAt, joined.answeredAt);
  let standing = run.note(joined.body, joined.sentAt);
  while (standing.status === 'queued') {
    if (run.isAway(standing)) return 'away';
    await run.pause(Math.min(jitter(standing.nextPollMs), run.patienceMs));
    if (run.patienceMs <= 0) await run.giveUp();
    // In a room with `admission: claim`, a ready visitor enters by POST check.
    const [method, path] = standing.isReady ? (['POST', 'check'] as const) : (['GET', 'status'] as const);
    const { body, sentAt } = await run.send(method, `/api/queue/${path}/${eventId}`, { kind: 'poll' });
    standing = run.note(body, sentAt);
  }
  if (standing.status === 'not_in_queue') run.losePlace('place lost while waiting (not_in_queue)');
  if (run.isAway(standing)) return 'away';
  run.noteInside();
  return standing;
}

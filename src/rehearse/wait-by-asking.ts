/** Waiting by asking, as often as the last answer said. */
import { jitter, type Standing, type VisitorRun } from './visitor-run.ts';

/** Resolves when the visitor is inside, or does not mean to come in. */
export async function waitByAsking(run: VisitorRun): Promise<Standing | 'away'> {
  const { eventId } = run.options;
  const joined = await run.ask('POST', `/api/queue/check/${eventId}`);
  run.noteJoin(joined.sentAt, joined.answeredAt);
  let standing = run.note(joined.body, joined.sentAt);
  while (standing.status === 'queued') {
    if (run.isAway(standing)) return 'away';
    await run.pause(Math.min(jitter(standing.nextPollMs), run.patienceMs));
    if (run.patienceMs <= 0) await run.giveUp();
    // In a claim room, who is ready enters by asking.
    const path = standing.isReady ? 'check' : 'status';
    const { body, sentAt } = await run.ask(standing.isReady ? 'POST' : 'GET', `/api/queue/${path}/${eventId}`);
    standing = run.note(body, sentAt);
  }
  if (standing.status === 'not_in_queue') run.losePlace('a waiting visitor was told: not_in_queue');
  if (run.isAway(standing)) return 'away';
  run.noteInside();
  return standing;
}

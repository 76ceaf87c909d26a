/** Runs one visitor: joins, waits, shops and leaves, as planned and as a page would. */
import { EndedError, jitter, type Standing, type VisitorOptions, VisitorRun } from './visitor-run.ts';
import { waitByPolling } from './wait-by-polling.ts';
import { waitByStream } from './wait-by-stream.ts';

export async function runVisitor(options: VisitorOptions): Promise<void> {
  const { findings, story } = options;
  try {
    await live(new VisitorRun(options));
  } catch (error) {
    if (!(error instanceof EndedError)) throw error;
    // The error was recorded where it happened.
    if (story.fate === 'waiting' && error.reason === 'given up') story.fate = 'gave-up';
    if (error.reason === 'over') return;
  }
  findings.finished += 1;
}

async function live(run: VisitorRun): Promise<void> {
  const standing = await (run.options.usesStream ? waitByStream(run) : waitByPolling(run));
  if (standing === 'away') return;
  await stayInside(run, standing);
  await buySeats(run);
  await run.leave();
}

/** Stays for as long as planned and polls meanwhile. */
async function stayInside(run: VisitorRun, { nextPollMs }: Standing): Promise<void> {
  const { plan, eventId } = run.options;
  const until = performance.now() + plan.shopsMs;
  for (let left = plan.shopsMs; left > 0; left = until - performance.now()) {
    await run.pause(Math.min(jitter(nextPollMs), left));
    if (performance.now() >= until) return;
    const { body, sentAt } = await run.send('GET', `/api/queue/status/${eventId}`, { kind: 'poll' });
    if (run.note(body, sentAt).status !== 'active') {
      run.noteLeaving();
      run.losePlace('place lost while inside');
    }
  }
}

async function buySeats(run: VisitorRun): Promise<void> {
  const { buy, plan, story } = run.options;
  if (buy === undefined || plan.onlyLooks === true) return;
  story.seats = await buy(run);
}

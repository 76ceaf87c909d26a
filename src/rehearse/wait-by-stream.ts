/** Waits on a stream of server-sent events and reconnects when it breaks, as a browser does. */
import { isTemporary, type OpenedStream } from './client.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import type { EventStream } from './http/event-stream.ts';
import type { Standing, VisitorRun } from './visitor-run.ts';

/** About the reconnection delay of browsers. */
const REOPEN_MS = 1_000;
/** Consecutive failed attempts before it counts as an error. */
const MOST_FAILURES = 20;
/** The others are of rooms, or for pages. */
const EVENTS_READ = new Set(['position', 'admitted', 'gone']);

/** Resolves when the visitor is inside, or stays away as planned. */
export async function waitByStream(run: VisitorRun): Promise<Standing | 'away'> {
  const { client, eventId, credentials, findings, story } = run.options;
  const path = `/events/${eventId}/tickets/waiting?format=named`;
  let problem = '';
  for (let failures = 0; failures <= MOST_FAILURES; failures += 1) {
    if (problem !== '') await run.pause(REOPEN_MS);
    const dueAt = run.takeDueTime();
    const sentAt = performance.now();
    let opened: OpenedStream;
    try {
      opened = await client.open(path, { ...credentials.headers, accept: 'text/event-stream' });
    } catch (error) {
      problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      findings.retries += 1;
      continue;
    }
    const answeredAt = performance.now();
    findings.noteResponse(answeredAt, { dueAt, kind: 'join' });
    if (opened.status !== 200) {
      opened.stream.close();
      problem = String(opened.status);
      if (!isTemporary(opened.status)) break;
      findings.retries += 1;
      continue;
    }
    credentials.keep(opened.cookies);
    if (story.joinSentAt === undefined) run.noteJoin(sentAt, answeredAt);
    const end = await follow(run, opened.stream);
    if (end !== 'broken') return end;
    problem = 'stream broke';
    failures = 0;
    findings.retries += 1;
  }
  return run.fail(`GET ${path}: ${problem}`);
}

async function follow(run: VisitorRun, stream: EventStream): Promise<Standing | 'away' | 'broken'> {
  const reader = new EventReader(EVENTS_READ);
  const { ending } = run.options;
  const patience = run.patienceMs;
  let hasAbandoned = false;
  const close = () => stream.close();
  const abandon = () => {
    hasAbandoned = true;
    close();
  };
  const timer = Number.isFinite(patience) ? setTimeout(abandon, Math.max(0, patience)) : undefined;
  ending.onEnd(close);
  if (ending.isOver) close();
  let end: Standing | 'away' | undefined;
  let failure: unknown;
  await stream.read((text) => {
    try {
      end = meetAll(run, reader.read(text));
    } catch (error) {
      failure = error;
    }
    if (end !== undefined || failure !== undefined) close();
  });
  clearTimeout(timer);
  ending.off(close);
  if (failure !== undefined) throw failure;
  if (end !== undefined) return end;
  if (hasAbandoned) return run.giveUp();
  // Throws if the rehearsal is over. Otherwise the connection broke or was silent for too long: the caller reconnects.
  await run.pause(0);
  return 'broken';
}

/** Handles the events up to the one that ends the waiting; undefined: keep waiting. */
function meetAll(run: VisitorRun, events: readonly ServerEvent[]): Standing | 'away' | undefined {
  for (const event of events) {
    const end = meet(run, event);
    if (end !== undefined) return end;
  }
  return undefined;
}

function meet(run: VisitorRun, { name, data }: ServerEvent): Standing | 'away' | undefined {
  const now = performance.now();
  if (name === 'position') {
    const standing = run.note({ ...data, status: 'queued' }, now);
    return run.isAway(standing) ? 'away' : undefined;
  }
  if (name === 'admitted') {
    const standing = run.note({ ...data, status: 'active' }, now);
    const admittedAt = Date.parse(data?.admittedAt);
    if (Number.isFinite(admittedAt)) run.options.findings.times.news.record(Math.max(0, Date.now() - admittedAt));
    if (run.isAway(standing)) return 'away';
    run.noteInside();
    return standing;
  }
  if (name === 'gone') return run.losePlace(`place lost: event gone, reason ${data?.reason}`);
  return undefined;
}

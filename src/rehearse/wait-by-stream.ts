/** Waits on a stream of server-sent events and reconnects when it breaks, as a browser does. */
import type { IncomingMessage } from 'node:http';
import { isTemporary } from './client.ts';
import { EventReader, type ServerEvent } from './event-reader.ts';
import { EndedError, type Standing, type VisitorRun } from './visitor-run.ts';

/** About the reconnection delay of browsers. */
const REOPEN_MS = 1_000;
/** Consecutive failed attempts before it counts as an error. */
const MOST_FAILURES = 20;

/** Resolves when the visitor is inside, or stays away as planned. */
export async function waitByStream(run: VisitorRun): Promise<Standing | 'away'> {
  const { client, eventId, credentials, findings } = run.options;
  const path = `/events/${eventId}/tickets/waiting?format=named`;
  let problem = '';
  for (let failures = 0; failures <= MOST_FAILURES; failures += 1) {
    if (problem !== '') await run.pause(REOPEN_MS);
    const sentAt = performance.now();
    const headers = { ...credentials.headers, accept: 'text/event-stream' };
    let response: IncomingMessage;
    try {
      response = await client.open(path, headers);
    } catch (error) {
      problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      findings.retries += 1;
      continue;
    }
    const answeredAt = performance.now();
    findings.requests += 1;
    findings.delays.push(answeredAt - sentAt);
    if (response.statusCode !== 200) {
      response.destroy();
      problem = String(response.statusCode);
      if (!isTemporary(response.statusCode)) break;
      findings.retries += 1;
      continue;
    }
    credentials.keep(response.headers['set-cookie'] ?? []);
    if (run.options.story.joinSentAt === undefined) run.noteJoin(sentAt, answeredAt);
    const end = await follow(run, response);
    if (end !== 'broken') return end;
    problem = 'stream broke';
    failures = 0;
    findings.retries += 1;
  }
  return run.fail(`GET ${path}: ${problem}`);
}

async function follow(run: VisitorRun, response: IncomingMessage): Promise<Standing | 'away' | 'broken'> {
  const reader = new EventReader();
  const patience = run.patienceMs;
  let hasAbandoned = false;
  const timer = Number.isFinite(patience) ? setTimeout(abandon, Math.max(0, patience)) : undefined;
  const { signal } = run.options;
  const stop = () => response.destroy();
  signal.addEventListener('abort', stop, { once: true });
  function abandon(): void {
    hasAbandoned = true;
    response.destroy();
  }
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      for (const event of reader.read(chunk as string)) {
        const end = meet(run, event);
        if (end !== undefined) return end;
      }
    }
  } catch (error) {
    if (error instanceof EndedError) throw error;
    // The connection broke or was silent for too long: the caller reconnects.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
  if (hasAbandoned) return run.giveUp();
  await run.pause(0);
  return 'broken';
}

/** Handles one event; undefined: keep waiting. */
function meet(run: VisitorRun, { name, data }: ServerEvent): Standing | 'away' | undefined {
  const now = performance.now();
  if (name === 'position') {
    const standing = run.note({ ...data, status: 'queued' }, now);
    return run.isAway(standing) ? 'away' : undefined;
  }
  if (name === 'admitted') {
    const standing = run.note({ ...data, status: 'active' }, now);
    if (run.isAway(standing)) return 'away';
    run.noteInside();
    return standing;
  }
  if (name === 'gone') return run.losePlace(`place lost: event gone, reason ${data?.reason}`);
  return undefined;
}

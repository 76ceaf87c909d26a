/** Runs a rehearsal: starts each visitor at their time, watches the room, ends when all have left. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitorPlan } from '../simulate/sale.ts';
import type { Client } from './client.ts';
import type { Credentials } from './credentials.ts';
import { Findings } from './findings.ts';
import type { RoomWatch } from './room-watch.ts';
import { runVisitor } from './visitor.ts';
import type { VisitorOptions } from './visitor-run.ts';

export interface RehearsalOptions {
  client: Client;
  eventId: string;
  crowd: readonly VisitorPlan[];
  credentialsOf: (index: number) => Credentials;
  /** Which visitors wait on a stream. */
  usesStream: (index: number) => boolean;
  buy?: VisitorOptions['buy'];
  /** Undefined without an operator token. */
  roomWatch: RoomWatch | undefined;
  endsAfterMs: number;
  /** Ends the rehearsal early. */
  signal: AbortSignal;
  onProgress: (findings: Findings) => void;
}

const WATCH_EVERY_MS = 250;
/** How long to wait for the leave requests of visitors who are still there at the end. */
const LEAVE_MS = 5_000;

export async function rehearse(options: RehearsalOptions): Promise<Findings> {
  const { crowd, credentialsOf, endsAfterMs, signal } = options;
  const startedAt = performance.now();
  const findings = new Findings(crowd.length, startedAt);
  const credentials: Credentials[] = [];
  const meet = (index: number) => {
    credentials[index] = credentialsOf(index);
    return credentials[index];
  };
  const over = new AbortController();
  // Every visitor adds a listener.
  setMaxListeners(0, over.signal);
  const end = () => over.abort();
  const timer = setTimeout(end, endsAfterMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const watching = watch(options, findings, over.signal);
  const visitors = await startVisitors({ ...options, credentialsOf: meet }, findings, over.signal, startedAt);
  await Promise.all(visitors);
  const isCutShort = over.signal.aborted;
  end();
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  await watching;
  if (isCutShort) await leaveAll(options, findings, credentials);
  return findings;
}

/** Starts each visitor at their time. Those of the same moment start one by one, to keep the order of the plan. */
async function startVisitors(
  options: RehearsalOptions,
  findings: Findings,
  signal: AbortSignal,
  startedAt: number,
): Promise<Promise<void>[]> {
  const { client, eventId, crowd, credentialsOf, usesStream, buy } = options;
  const visitors: Promise<void>[] = [];
  for (const [index, plan] of crowd.entries()) {
    const ahead = startedAt + plan.comesAtMs - performance.now();
    if (ahead > 1) await sleep(ahead, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const credentials = credentialsOf(index);
    const story = findings.stories[index]!;
    const visitor = { client, eventId, plan, credentials, findings, story, usesStream: usesStream(index), buy, signal };
    visitors.push(runVisitor(visitor));
  }
  return visitors;
}

async function watch({ roomWatch, onProgress }: RehearsalOptions, findings: Findings, signal: AbortSignal) {
  while (!signal.aborted) {
    const room = await roomWatch?.look();
    if (room !== undefined) findings.noteRoom(room, performance.now());
    onProgress(findings);
    await sleep(WATCH_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

async function leaveAll(
  { client, eventId }: RehearsalOptions,
  findings: Findings,
  credentials: readonly Credentials[],
): Promise<void> {
  const path = `/api/queue/leave/${eventId}`;
  const left = findings.stories.flatMap(({ fate }, index) =>
    fate === 'waiting' || fate === 'inside'
      ? [client.send({ method: 'POST', path, headers: credentials[index]!.headers })]
      : [],
  );
  await Promise.race([Promise.all(left), sleep(LEAVE_MS, undefined, { ref: false })]);
}

/** Runs the visitors of one process: starts each at their time, watches the room, ends when all have left. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitorPlan } from '../simulate/sale.ts';
import type { Client } from './client.ts';
import type { Credentials } from './credentials.ts';
import { Ending } from './ending.ts';
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
  /** By performance.now(). */
  startsAt: number;
  endsAfterMs: number;
  /** Ends the rehearsal early. */
  signal: AbortSignal;
  onProgress: (findings: Findings) => void;
}

const WATCH_EVERY_MS = 250;
/** How long to wait for the leave requests of visitors who are still there at the end. */
const LEAVE_MS = 5_000;

export async function rehearse(options: RehearsalOptions): Promise<Findings> {
  const { crowd, credentialsOf, startsAt, endsAfterMs, signal } = options;
  const findings = new Findings(crowd.length, startsAt);
  const credentials: Credentials[] = [];
  const meet = (index: number) => {
    credentials[index] = credentialsOf(index);
    return credentials[index];
  };
  const ending = new Ending();
  const end = () => ending.end();
  const timer = setTimeout(end, startsAt + endsAfterMs - performance.now());
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const watching = watch(options, findings, ending);
  const visitors = await startVisitors({ ...options, credentialsOf: meet }, findings, ending);
  await Promise.all(visitors);
  const isCutShort = ending.isOver;
  end();
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  await watching;
  if (isCutShort) await leaveAll(options, findings, credentials);
  return findings;
}

/** Starts each visitor at their time. Those of the same moment start one by one, to keep the order of the plan. */
async function startVisitors(options: RehearsalOptions, findings: Findings, ending: Ending): Promise<Promise<void>[]> {
  const { client, eventId, crowd, credentialsOf, usesStream, buy, startsAt } = options;
  const visitors: Promise<void>[] = [];
  for (const [index, plan] of crowd.entries()) {
    const dueAt = startsAt + plan.comesAtMs;
    const ahead = dueAt - performance.now();
    if (ahead > 1) await ending.sleep(ahead);
    if (ending.isOver) break;
    const credentials = credentialsOf(index);
    const story = findings.stories[index]!;
    const common = { client, eventId, findings, buy, ending };
    visitors.push(runVisitor({ ...common, plan, credentials, story, usesStream: usesStream(index), dueAt }));
  }
  return visitors;
}

async function watch({ roomWatch, onProgress }: RehearsalOptions, findings: Findings, ending: Ending): Promise<void> {
  while (!ending.isOver) {
    const room = await roomWatch?.look();
    if (room !== undefined) findings.noteRoom(room, performance.now());
    onProgress(findings);
    await ending.sleep(WATCH_EVERY_MS);
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

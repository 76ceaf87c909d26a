/** A whole rehearsal: lets the visitors come when they are to come, watches the room, and ends when all have gone. */
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
  /** Which of the visitors wait by a stream. */
  usesStream: (index: number) => boolean;
  buy?: VisitorOptions['buy'];
  /** Undefined without an operator's token. */
  roomWatch: RoomWatch | undefined;
  endsAfterMs: number;
  /** To end it before. */
  signal: AbortSignal;
  onProgress: (findings: Findings) => void;
}

const WATCH_EVERY_MS = 250;
/** Whoever is still there at the end says goodbye, as far as that is possible in this time. */
const GOODBYE_MS = 5_000;

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
  // Everyone listens.
  setMaxListeners(0, over.signal);
  const end = () => over.abort();
  const timer = setTimeout(end, endsAfterMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const watching = watch(options, findings, over.signal);
  const visitors = await letThemCome({ ...options, credentialsOf: meet }, findings, over.signal, startedAt);
  await Promise.all(visitors);
  const isCutShort = over.signal.aborted;
  end();
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  await watching;
  if (isCutShort) await sayGoodbye(options, findings, credentials);
  return findings;
}

/** Starts each at their time; those of the same moment one after the other, so that their order is that of the plan. */
async function letThemCome(
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

async function sayGoodbye(
  { client, eventId }: RehearsalOptions,
  findings: Findings,
  credentials: readonly Credentials[],
): Promise<void> {
  const path = `/api/queue/leave/${eventId}`;
  const left = findings.stories.flatMap(({ fate }, index) =>
    fate === 'waiting' || fate === 'inside'
      ? [client.ask({ method: 'POST', path, headers: credentials[index]!.headers })]
      : [],
  );
  await Promise.race([Promise.all(left), sleep(GOODBYE_MS, undefined, { ref: false })]);
}

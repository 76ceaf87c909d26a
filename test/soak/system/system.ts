/** The system under test: processes of the built program with split roles on real stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { Program } from './program.ts';
import { type Stores, startStores } from './stores.ts';

export const secrets = {
  ADMIN_TOKEN: 'operator-token-of-the-soak',
  AUTH_JWT_SECRET: 'auth-secret-of-the-soak-0123456789abcdef',
  QUEUE_ENTRY_TOKEN_SECRET: 'entry-secret-of-the-soak-0123456789abcdef',
  VWR_TOKEN_SECRET: 'vwr-secret-of-the-soak-0123456789abcdef',
  GUEST_SECRET: 'guest-secret-of-the-soak-0123456789abcdef',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret-of-the-soak-0123456789abcdef',
  TICKET_SECRET: 'ticket-secret-of-the-soak-0123456789abcdef',
};

export interface SystemOptions {
  cluster: boolean;
  waitReplicas: number;
  shop: boolean;
  kafka: boolean;
  lines: number;
  /** Settings of the processes besides those of a soak. */
  env?: Readonly<Record<string, string>>;
  onComplaint(process: string, text: string): void;
}

export interface System {
  stores: Stores;
  waitReplicas: number;
  programs: readonly Program[];
  lines: readonly Program[];
  shops: readonly Program[];
  /** Everything ready; throws with the reason after a minute. */
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

export const ADMISSION_INTERVAL_MS = 250;
export const ACTIVE_TTL_SECONDS = 20;
export const CLAIM_TTL_SECONDS = 12;
export const SEEN_TTL_SECONDS = 40;
export const HOLD_SECONDS = 6;
export const MAX_PER_PERSON = 2;

export async function startSystem(options: SystemOptions): Promise<System> {
  const stores = await startStores(options);
  const folder = mkdtempSync(join(tmpdir(), 'fairline-soak-'));
  const env = {
    ...secrets,
    ...settings,
    ...stores.env,
    REDIS_WAIT_REPLICAS: String(options.waitReplicas),
    ...options.env,
  };
  const programs: Program[] = [];
  for (const [name, roles] of rolesOf(options))
    programs.push(
      new Program({
        name,
        roles,
        port: await freePort(),
        folder: join(folder, name),
        env,
        onComplaint: options.onComplaint,
      }),
    );
  const killAll = () => {
    for (const program of programs) void program.end('SIGKILL');
  };
  // An interrupted run does not reach its cleanup.
  process.once('exit', killAll);
  for (const program of programs) program.start();
  const system: System = {
    stores,
    waitReplicas: options.waitReplicas,
    programs,
    lines: programs.filter(({ roles }) => roles.includes('line')),
    shops: programs.filter(({ roles }) => roles.includes('shop')),
    untilReady: () => untilAllReady(programs),
    async stop() {
      process.off('exit', killAll);
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
      await stores.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return system;
}

/** Faster than in production, so that a short run sees many turns of the crowd. */
const settings = {
  DEMO: 'off',
  LOG_LEVEL: 'warn',
  QUEUE_ADMISSION_INTERVAL_MS: String(ADMISSION_INTERVAL_MS),
  QUEUE_ACTIVE_TTL_SECONDS: String(ACTIVE_TTL_SECONDS),
  QUEUE_CLAIM_TTL_SECONDS: String(CLAIM_TTL_SECONDS),
  QUEUE_SEEN_TTL_SECONDS: String(SEEN_TTL_SECONDS),
  QUEUE_DISCONNECT_GRACE_SECONDS: '30',
  QUEUE_STALE_CLEANUP_INTERVAL_MS: '2000',
  VWR_BATCH_SIZE: '40',
  VWR_CYCLE_MS: '1000',
  HOLD_SECONDS: String(HOLD_SECONDS),
  HOLD_EXTENSION_SECONDS: '60',
  MAX_PER_PERSON: String(MAX_PER_PERSON),
  KEEPER_INTERVAL_MS: '200',
  RECORDS_POLL_MS: '50',
  DATABASE_CONNECTIONS: '6',
  PAYMENT_TIMEOUT_MS: '2000',
  LIMIT_JOIN_PER_VISITOR: '0',
  LIMIT_GUEST_JOIN_PER_IP: '0',
  LIMIT_VWR_ASSIGN_PER_DEVICE: '0',
  LIMIT_VWR_ASSIGN_PER_IP: '0',
  LIMIT_STREAMS_PER_IP: '0',
  LIMIT_HOLD_PER_VISITOR: '0',
  LIMIT_PAYMENT_PER_VISITOR: '0',
  LIMIT_PUBLIC_READ_PER_IP: '0',
  LIMIT_OPERATOR_SIGN_IN_PER_IP: '0',
  LIMIT_SIGN_IN_PER_IP: '0',
};

function rolesOf({ lines, shop }: SystemOptions): [string, string][] {
  return [
    ...Array.from({ length: lines }, (_, no): [string, string] => [`line-${no + 1}`, 'line']),
    ['admitter-1', 'admitter,dispatcher,reaper,advancer'],
    ['admitter-2', 'admitter,dispatcher,sweeper,advancer'],
    ...(shop
      ? ([
          ['shop-1', 'shop,keeper'],
          ['records-1', 'relay,chain,stats'],
        ] as [string, string][])
      : []),
  ];
}

const START_MS = 90_000;

async function untilAllReady(programs: readonly Program[]): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (const program of programs) {
    for (;;) {
      const reason = await readinessOf(program);
      if (reason === undefined) break;
      if (Date.now() > deadline) throw new Error(`${program.name} is not ready: ${reason}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Why the process is not ready; undefined if it is. */
async function readinessOf(program: Program): Promise<string | undefined> {
  try {
    const response = await fetch(`${program.url}/ready`, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    return response.status === 200 ? undefined : text;
  } catch (error) {
    return String(error);
  }
}

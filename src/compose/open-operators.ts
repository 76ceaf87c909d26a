/** Operators: sessions, audit trail, second factor; each in the store that all processes share. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { AuditTrail } from '../identity/audit-trail.ts';
import type { EndedSessions } from '../identity/ended-sessions.ts';
import { createEndedSessionsFile } from '../identity/file/ended-sessions-file.ts';
import { createFileAuditTrail } from '../identity/file/file-audit-trail.ts';
import { createOperatorMetrics, type OperatorMetrics } from '../identity/operator-metrics.ts';
import { createOperatorSessions } from '../identity/operator-sessions.ts';
import { type AccountOperators, createOperators, type Operators } from '../identity/operators.ts';
import { createDatabaseAuditTrail } from '../identity/postgres/database-audit-trail.ts';
import {
  createOperatorAccounts,
  createPostgresEndedSessions,
} from '../identity/postgres/postgres-operator-accounts.ts';
import { PostgresSecondFactorStore } from '../identity/postgres/postgres-second-factor-store.ts';
import { RefusedAttempts } from '../identity/refused-attempts.ts';
import { SecondFactor } from '../identity/second-factor.ts';
import type { Clock } from '../platform/clock.ts';
import { createSecretBox } from '../platform/crypto/secret-box.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { GuessLimit } from '../platform/guess-limit.ts';
import { createOperatorKeys } from '../signing-keys/operator-keys.ts';

export interface OperatorServices {
  operators: Operators;
  operatorMetrics: OperatorMetrics;
  /** One pass: what could not be written to the audit trail before, and summaries of refused attempts. */
  keepAudit(): Promise<'done'>;
  /** Logs the head of the audit trail, so that it is stored outside. */
  anchorAudit(): Promise<'done'>;
  close(): Promise<void>;
}

export interface OperatorServicesOptions {
  config: Config;
  adminToken: string;
  /** undefined: this instance has no database. */
  database: LazyDatabase | undefined;
  registry: Registry;
  clock: Clock;
  log: Logger;
}

export async function openOperators(options: OperatorServicesOptions): Promise<OperatorServices> {
  const { config, adminToken, database, registry, clock, log } = options;
  const { dataDir } = config;
  const setting = config.accounts.secondFactor;
  const keys = createOperatorKeys(adminToken);
  const ended = await openEndedSessions(options);
  const trail: AuditTrail =
    database === undefined
      ? createFileAuditTrail({ dataDir, clock, log })
      : createDatabaseAuditTrail({ database, dataDir, clock, log });
  const metrics = createOperatorMetrics(registry);
  const refused = new RefusedAttempts({
    trail,
    limit: new GuessLimit({ free: config.limits.operatorSignInPerIp, firstWaitMs: 1_000, clock }),
    count: (action) => metrics.refuse(action === 'refused token' ? 'token' : 'sign_in'),
    clock,
    log,
  });
  const accounts: AccountOperators | undefined = database && {
    store: createOperatorAccounts(database),
    secondFactor: new SecondFactor({
      setting,
      store: new PostgresSecondFactorStore(database, clock),
      box: createSecretBox(keys.factor),
      clock,
    }),
  };
  const requiresFactor = setting === 'required';
  const sessions = createOperatorSessions({ keys, ended, accounts: accounts?.store, requiresFactor, clock });
  return {
    operators: createOperators({ adminToken, sessions, trail, refused, accounts }),
    operatorMetrics: metrics,
    async keepAudit() {
      await refused.runOnce();
      return trail.runOnce();
    },
    async anchorAudit() {
      const head = await trail.findHead();
      if (head !== undefined) log.info({ auditHead: head }, `audit trail: head ${head.seq}:${head.hash}`);
      return 'done';
    },
    async close() {
      await refused.flush();
      await trail.close();
      await ended.close();
    },
  };
}

/** With the embedded database, or none, and without Redis, there is one process only. */
async function openEndedSessions(options: OperatorServicesOptions): Promise<EndedSessions> {
  const { config, database, clock } = options;
  const isServer = config.shop !== undefined && 'url' in config.shop.database;
  if (database !== undefined && isServer) return createPostgresEndedSessions(database, clock);
  if (config.redis === undefined) return createEndedSessionsFile(config.dataDir, clock);
  const [{ createRedisClient }, { createRedisEndedSessions }] = await Promise.all([
    import('../platform/redis/connect.ts'),
    import('../identity/redis/redis-ended-sessions.ts'),
  ]);
  const client = createRedisClient(config.redis.address);
  // The connection of the line logs the same errors.
  client.on('error', () => {});
  return createRedisEndedSessions(client, clock);
}

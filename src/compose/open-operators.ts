/** Operators: sessions, audit trail, second factor; each in the store that all processes share. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { AuditTrail } from '../identity/audit-trail.ts';
import { Directory } from '../identity/directory/directory.ts';
import type { DirectoryStore } from '../identity/directory/directory-store.ts';
import type { EndedSessions } from '../identity/ended-sessions.ts';
import { createDirectoryFile } from '../identity/file/directory-file.ts';
import { createEndedSessionsFile } from '../identity/file/ended-sessions-file.ts';
import { createFileAuditTrail } from '../identity/file/file-audit-trail.ts';
import { createOperatorMetrics, type OperatorMetrics } from '../identity/operator-metrics.ts';
import { createOperatorSessions } from '../identity/operator-sessions.ts';
import type { AccountOperators } from '../identity/operator-sign-in.ts';
import { createOperators, type Operators } from '../identity/operators.ts';
import { createDatabaseAuditTrail } from '../identity/postgres/database-audit-trail.ts';
import { createPostgresDirectory } from '../identity/postgres/postgres-directory.ts';
import {
  createOperatorAccounts,
  createPostgresEndedSessions,
} from '../identity/postgres/postgres-operator-accounts.ts';
import { PostgresSecondFactorStore } from '../identity/postgres/postgres-second-factor-store.ts';
import { People } from '../identity/provider/people.ts';
import { createSignInProvider, type SignInProvider } from '../identity/provider/sign-in-provider.ts';
import { RefusedAttempts } from '../identity/refused-attempts.ts';
import { SecondFactor } from '../identity/second-factor.ts';
import { ServiceKeys } from '../identity/service-keys/service-keys.ts';
import { type Clock, stopwatch } from '../platform/clock.ts';
import { createSecretBox, type SecretBox } from '../platform/crypto/secret-box.ts';
import type { LazyDatabase } from '../platform/database/lazy-database.ts';
import { GuessLimit } from '../platform/guess-limit.ts';
import { createOperatorKeys } from '../signing-keys/operator-keys.ts';

export interface OperatorServices {
  operators: Operators;
  operatorMetrics: OperatorMetrics;
  /** undefined: operators do not sign in at an identity provider. */
  signIn: { provider: SignInProvider; box: SecretBox } | undefined;
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
  const signing = createOperatorKeys(adminToken);
  const { ended, directory: directoryStore } = await openSharedStores(options);
  const directory = new Directory({ store: directoryStore, stopwatch });
  const keys = new ServiceKeys({ directory, adminToken, clock, log });
  const people = new People({ directory, clock });
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
      box: createSecretBox(signing.factor),
      clock,
    }),
  };
  const requiresFactor = setting === 'required';
  const sessions = createOperatorSessions({
    ...{ signing, ended, accounts: accounts?.store, keys, people, requiresFactor, clock },
  });
  return {
    operators: createOperators({
      ...{ sessions, keys, people, trail, refused, accounts },
      onRoleRefused({ name, role }, endpoint) {
        metrics.refuse('role');
        log.warn({ by: name, role, endpoint }, 'an operator was refused: the role is not enough');
      },
    }),
    signIn: openProvider(options, () => signing.signIn()),
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
      await directory.close();
    },
  };
}

function openProvider({ config, log }: OperatorServicesOptions, key: () => Buffer): OperatorServices['signIn'] {
  if (config.operatorProvider === undefined) return undefined;
  const provider = createSignInProvider({ ...config.operatorProvider, stopwatch, log });
  return { provider, box: createSecretBox(key) };
}

/** With the embedded database, or none, and without Redis, there is one process only. */
async function openSharedStores(
  options: OperatorServicesOptions,
): Promise<{ ended: EndedSessions; directory: DirectoryStore }> {
  const { config, database, clock } = options;
  const isServer = config.shop !== undefined && 'url' in config.shop.database;
  if (database !== undefined && isServer) {
    return { ended: createPostgresEndedSessions(database, clock), directory: createPostgresDirectory(database) };
  }
  if (config.redis === undefined) {
    return { ended: createEndedSessionsFile(config.dataDir, clock), directory: createDirectoryFile(config.dataDir) };
  }
  const [{ createRedisClient }, { createRedisEndedSessions }, { createRedisDirectory }] = await Promise.all([
    import('../platform/redis/connect.ts'),
    import('../identity/redis/redis-ended-sessions.ts'),
    import('../identity/redis/redis-directory.ts'),
  ]);
  const open = () => {
    const client = createRedisClient(config.redis!.address);
    // The connection of the line logs the same errors.
    client.on('error', () => {});
    return client;
  };
  return { ended: createRedisEndedSessions(open(), clock), directory: createRedisDirectory(open()) };
}

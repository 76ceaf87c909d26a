/** The audit trail for the command line: read only, without starting anything else and without migrating. */
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { ChainHead, ChainReport } from '../identity/audit-chain.ts';
import { type ChainedEntry, readEntry } from '../identity/audit-entries.ts';
import { checkFile, listAuditFiles, readLines } from '../identity/file/read-audit-files.ts';
import { PostgresAuditStore } from '../identity/postgres/postgres-audit-store.ts';
import type { Database } from '../platform/database/database.ts';
import type { DatabaseAddress } from '../platform/database/lazy-database.ts';
import { lockFolder } from '../platform/journal/folder-lock.ts';

/** One chain: that of the database, or that of a file. */
export interface AuditSource {
  name: string;
  checkChain(anchor?: ChainHead): Promise<ChainReport>;
  /** Oldest first. */
  readAll(): AsyncIterable<ChainedEntry>;
}

/** The sources of this instance: with a database that one first, then the files whose entries wait to be carried over. */
export async function withAuditSources<T>(
  { shop, dataDir }: Pick<Config, 'shop' | 'dataDir'>,
  work: (sources: AuditSource[]) => Promise<T>,
): Promise<T> {
  const files = (await listAuditFiles(dataDir).catch(() => [])).map(toFileSource);
  if (shop === undefined) return work(files);
  const { database, close } = await openForReading(shop.database, dataDir);
  try {
    return await work([...(await findTable(database)), ...files]);
  } finally {
    await close();
  }
}

export function toFileSource(path: string): AuditSource {
  return {
    name: path,
    checkChain: (anchor) => checkFile(path, anchor),
    async *readAll() {
      for await (const line of readLines(path)) {
        const entry = readEntry(line);
        if (entry !== undefined) yield entry;
      }
    },
  };
}

async function openForReading(address: DatabaseAddress, dataDir: string) {
  if ('url' in address) {
    const { connectPostgres } = await import('../platform/database/postgres.ts');
    const database = await connectPostgres(address, 1);
    return { database, close: () => database.destroy() };
  }
  // The embedded database is for one process only.
  const unlock = lockFolder(dataDir);
  const { openPglite } = await import('../platform/database/pglite.ts');
  const database = await openPglite(address.dir);
  const close = async () => {
    await database.destroy();
    unlock();
  };
  return { database, close };
}

/** No source in a database that no version with this table has opened yet. */
async function findTable(database: Database): Promise<AuditSource[]> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass('audit_entries')::text as name`.execute(
    database,
  );
  if (rows[0]?.name == null) return [];
  const store = new PostgresAuditStore(async () => database);
  return [
    {
      name: 'database',
      checkChain: (anchor) => store.checkChain(anchor),
      async *readAll() {
        for await (const { seq, entry, hash } of store.readAll()) yield { ...JSON.parse(entry), seq, hash };
      },
    },
  ];
}

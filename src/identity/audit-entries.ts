/** The entries of the audit trail, and their format in files: one JSON object per line, the newest last. */
export interface AuditEntry {
  action: string;
  /** undefined if the action concerns no event. */
  eventId?: string;
  /**
   * The operator's account; the name of a service key, `admin-token` for ADMIN_TOKEN (`token` until version 0.2); `oidc:` and
   * the email or subject of an operator of the identity provider; `unknown` for a refused attempt; `system` for what the
   * program did by itself.
   */
  by: string;
  from: string;
  traceId: string;
  details: Record<string, unknown>;
}

export interface WrittenEntry extends AuditEntry {
  at: string;
}

/** An entry with its place in the chain. */
export interface ChainedEntry extends WrittenEntry {
  /** From 1, without gaps. Entries that older versions wrote to a file have neither. */
  seq?: number;
  hash?: string;
}

export interface AuditQuery {
  /** undefined: all entries, with or without an event. */
  eventId?: string | undefined;
  by?: string | undefined;
  /** undefined: all actions. */
  actions?: readonly string[] | undefined;
  /** Not before this time. */
  since?: string | undefined;
  limit: number;
}

/** Newest first. Skips lines that are not entries, such as a truncated one. */
export function latestEntries(text: string, query: AuditQuery): ChainedEntry[] {
  const entries: ChainedEntry[] = [];
  const lines = text.split('\n');
  for (let i = lines.length - 1; i >= 0 && entries.length < query.limit; i -= 1) {
    const entry = readEntry(lines[i]!);
    if (entry !== undefined && isWanted(entry, query)) entries.push(entry);
  }
  return entries;
}

function isWanted(entry: WrittenEntry, { eventId, by, actions, since }: AuditQuery): boolean {
  if (eventId !== undefined && entry.eventId !== eventId) return false;
  if (by !== undefined && entry.by !== by) return false;
  if (since !== undefined && Date.parse(entry.at) < Date.parse(since)) return false;
  return actions === undefined || actions.includes(entry.action);
}

export function readEntry(line: string): ChainedEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as ChainedEntry;
  } catch {
    return undefined;
  }
}

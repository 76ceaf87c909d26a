/** The format of the audit trail: one JSON entry per line, the newest last. */
export interface AuditEntry {
  action: string;
  /** undefined if the action concerns no event. */
  eventId?: string;
  /** The operator's account; `token` for a request with the operator token. */
  by: string;
  from: string;
  traceId: string;
  details: Record<string, unknown>;
}

export interface WrittenEntry extends AuditEntry {
  at: string;
}

export interface AuditQuery {
  /** undefined: all entries, with or without an event. */
  eventId?: string | undefined;
  limit: number;
}

/** Newest first. Skips lines that are not entries, such as a truncated one. */
export function latestEntries(text: string, { eventId, limit }: AuditQuery): WrittenEntry[] {
  const entries: WrittenEntry[] = [];
  const lines = text.split('\n');
  for (let i = lines.length - 1; i >= 0 && entries.length < limit; i -= 1) {
    const entry = readEntry(lines[i]!);
    if (entry !== undefined && (eventId === undefined || entry.eventId === eventId)) entries.push(entry);
  }
  return entries;
}

function readEntry(line: string): WrittenEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as WrittenEntry;
  } catch {
    return undefined;
  }
}

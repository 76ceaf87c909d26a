/** The audit trail as lines of text: one entry a line, the newest last. */
export interface AuditEntry {
  action: string;
  /** undefined where it concerns no event. */
  eventId?: string;
  /** The account of the operator, or `token` for whoever had that. */
  by: string;
  from: string;
  traceId: string;
  details: Record<string, unknown>;
}

export interface WrittenEntry extends AuditEntry {
  at: string;
}

export interface AuditQuery {
  /** undefined: of every event and of none. */
  eventId?: string | undefined;
  limit: number;
}

/** The newest first. What is no entry, as a line that was cut off, is passed over. */
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

/** The sorted sets in which other systems keep a line, as data. */

export type SourceFormat = 'urr' | 'codenbug';

export const sourceFormats: readonly SourceFormat[] = ['urr', 'codenbug'];

export interface Member {
  text: string;
  score: number;
}

export function keyOf(format: SourceFormat, eventId: string): string {
  // URR writes the braces into the key.
  return format === 'urr' ? `{${eventId}}:queue` : `WAITING:${eventId}`;
}

/** The users in the order of the line; as Redis orders members of the same score. Throws for a member of another form. */
export function toUsers(format: SourceFormat, members: readonly Member[]): string[] {
  const inOrder = [...members].sort(
    (one, other) => one.score - other.score || Buffer.compare(Buffer.from(one.text), Buffer.from(other.text)),
  );
  return inOrder.map(({ text }) => toUser(format, text));
}

function toUser(format: SourceFormat, text: string): string {
  const user = format === 'urr' ? text : userIn(text);
  if (user === undefined || user === '') {
    throw new Error(`not the line of ${format}: a member is ${JSON.stringify(text.slice(0, 100))}; expected: a user`);
  }
  return user;
}

/** `{"userId":"…"}`; older versions have a number. */
function userIn(text: string): string | undefined {
  try {
    const { userId } = JSON.parse(text) as { userId?: unknown };
    return typeof userId === 'string' || typeof userId === 'number' ? String(userId) : undefined;
  } catch {
    return undefined;
  }
}

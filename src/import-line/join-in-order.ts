/** Lets users join a line of a running instance one after the other, each as themselves. */

export interface JoinOptions {
  /** The origin of the instance. */
  url: string;
  eventId: string;
  users: readonly string[];
  /** Signs a token of the user as the site does. */
  signUser: (user: string) => string;
  onJoined: (count: number) => void;
}

export interface JoinSummary {
  joined: number;
  /** Had a place that is ahead of the one before them in the list: they came here by themselves. */
  wereThere: number;
}

const TIMEOUT_MS = 10_000;

/** In order means one at a time. A user who has a place keeps it, so the import can be repeated. */
export async function joinInOrder(options: JoinOptions): Promise<JoinSummary> {
  const summary: JoinSummary = { joined: 0, wereThere: 0 };
  let last = 0;
  for (const user of options.users) {
    const number = await join(user, options);
    if (number < last) summary.wereThere += 1;
    else last = number;
    summary.joined += 1;
    options.onJoined(summary.joined);
  }
  return summary;
}

async function join(user: string, { url, eventId, signUser }: JoinOptions): Promise<number> {
  const response = await fetch(`${url}/api/queue/check/${encodeURIComponent(eventId)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${signUser(user)}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = (await response.json()) as {
    status?: string;
    number?: number;
    error?: { code: string; message: string };
  };
  if (!response.ok)
    throw new Error(`the line refuses a user: ${response.status} ${body.error?.code}: ${body.error?.message}`);
  if (body.status !== 'queued' || body.number === undefined) {
    throw new Error(
      `the room ${eventId} admits visitors, or draws; expected: a paused room in order of arrival. Pause it: PUT {"state": "paused"}`,
    );
  }
  return body.number;
}

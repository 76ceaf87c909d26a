/** Parses server-sent events from chunks. */
export interface ServerEvent {
  name: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: any data of the server; readers check what they use.
  data: any;
}

/** Bounds memory: no event of Fairline is longer. */
const LONGEST_EVENT = 64 * 1024;

export class EventReader {
  #rest = '';

  /** The events that this chunk completes. */
  read(chunk: string): ServerEvent[] {
    const blocks = (this.#rest + chunk).split('\n\n');
    this.#rest = blocks.pop()!.slice(-LONGEST_EVENT);
    return blocks.flatMap((block) => toEvent(block) ?? []);
  }
}

function toEvent(block: string): ServerEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const;
    }),
  );
  const name = fields.get('event');
  if (name === undefined) return undefined;
  try {
    return { name, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') };
  } catch {
    return undefined;
  }
}

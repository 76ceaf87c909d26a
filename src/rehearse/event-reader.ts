/** Server-sent events from the chunks in which they come. */
export interface ServerEvent {
  name: string;
  id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says; its readers check what they use.
  data: any;
}

/** More than this without an end of an event is no stream of ours. */
const LONGEST_EVENT = 64 * 1024;

export class EventReader {
  #rest = '';

  /** The events that are complete with this chunk. */
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

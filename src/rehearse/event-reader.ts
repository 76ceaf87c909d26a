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
  readonly #names: ReadonlySet<string> | undefined;
  #rest = '';

  /** `names`: the events that are read; undefined: all. */
  constructor(names?: ReadonlySet<string>) {
    this.#names = names;
  }

  /** The events that this chunk completes. */
  read(chunk: string): ServerEvent[] {
    const text = this.#rest + chunk;
    const events: ServerEvent[] = [];
    let from = 0;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n', from)) {
      const event = this.#toEvent(text.slice(from, end));
      if (event !== undefined) events.push(event);
      from = end + 2;
    }
    this.#rest = from === text.length ? '' : text.slice(from).slice(-LONGEST_EVENT);
    return events;
  }

  #toEvent(block: string): ServerEvent | undefined {
    let name: string | undefined;
    let id: string | undefined;
    let data = 'null';
    for (const line of block.split('\n')) {
      if (line.startsWith('event:')) name = fieldValue(line);
      else if (line.startsWith('id:')) id = fieldValue(line);
      else if (line.startsWith('data:')) data = fieldValue(line);
    }
    if (name === undefined || this.#names?.has(name) === false) return undefined;
    try {
      return { name, id, data: JSON.parse(data) };
    } catch {
      return undefined;
    }
  }
}

function fieldValue(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}

/** Parses server-sent events as the HTML standard describes them. Pure: text in, events out. */

export interface ParsedEvent {
  event: string;
  data: string;
}

/** An event of Fairline has a few hundred bytes. */
const MAX_UNREAD = 256 * 1024;

export class EventParser {
  /** The last id that was seen; kept over events without one. */
  lastEventId: string | undefined;
  /** How long the server asks clients to wait before they connect again. */
  retryMs: number | undefined;
  #unread = '';
  #event = '';
  #data: string[] = [];

  /** The events that this piece of the stream completes. */
  push(piece: string): ParsedEvent[] {
    const text = this.#unread + piece;
    // A CR at the end may be half of a line break.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#unread = lines.pop()!;
    const events = lines.flatMap((line) => this.#readLine(line));
    const size = this.#unread.length + this.#data.reduce((sum, line) => sum + line.length, 0);
    if (size > MAX_UNREAD) throw new Error(`The stream sent an event of more than ${MAX_UNREAD / 1024} KB.`);
    return events;
  }

  #readLine(line: string): ParsedEvent[] {
    if (line === '') return this.#finish();
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.lastEventId = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  /** Without data there is no event. */
  #finish(): ParsedEvent[] {
    const [event, data] = [this.#event || 'message', this.#data];
    this.#event = '';
    this.#data = [];
    return data.length === 0 ? [] : [{ event, data: data.join('\n') }];
  }
}

/** A visitor at the stream door: keeps a stream open, reconnects to another process when it breaks, as EventSource does. */
import { EventReader } from '../../../src/rehearse/event-reader.ts';
import type { OpenedStream } from './browser.ts';
import { leave, spendTimeInside } from './poll-door.ts';
import { fromEvent, fromPoll } from './said.ts';
import type { Visitor } from './visitor.ts';

const MOST_STREAMS = 200;
/** A comment comes every 15 s; a connection silent for longer is dead. */
const LONGEST_SILENCE_MS = 20_000;

export async function visitByStream(visitor: Visitor): Promise<void> {
  if (visitor.chance.happens(0.5)) visitor.signIn();
  const buys = visitor.context.shops.length > 0 && visitor.chance.happens(0.4);
  for (let streams = 0; streams < MOST_STREAMS && !visitor.isClosing; streams += 1) {
    const opened = await visitor.browser.open(`/events/${visitor.eventId}/tickets/waiting`);
    visitor.record('stream-open', { ...opened, retryAfter: retryAfterOf(opened) });
    const end = await follow(visitor, opened);
    if (end === 'inside') return enter(visitor, buys);
    if (end === 'refused') return;
    if (visitor.last?.state === 'waiting' && visitor.chance.happens(0.04)) return leave(visitor);
    await visitor.rest(visitor.chance.between(100, 600));
  }
}

/** Asks once for the entry cookie, as the docs tell pages to do. */
async function enter(visitor: Visitor, buys: boolean): Promise<void> {
  await visitor.ask('status', { method: 'GET', path: `/api/queue/status/${visitor.eventId}` }, fromPoll);
  await spendTimeInside(visitor, { buys });
}

type End = 'inside' | 'refused' | 'broken';

async function follow(visitor: Visitor, { status, process, response }: OpenedStream): Promise<End> {
  if (response === undefined) return 'broken';
  if (status !== 200) {
    response.resume();
    return status === 403 || status === 404 || status === 409 ? 'refused' : 'broken';
  }
  const close = () => response.destroy();
  visitor.context.closing.addEventListener('abort', close, { once: true });
  const reader = new EventReader();
  let quiet = setTimeout(close, LONGEST_SILENCE_MS);
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      clearTimeout(quiet);
      quiet = setTimeout(close, LONGEST_SILENCE_MS);
      for (const { name, data } of reader.read(chunk)) {
        const said = fromEvent(name, data);
        const at = Date.now();
        if (said !== undefined) {
          visitor.record('stream-event', { status, at, until: at, process, retryAfter: undefined }, said);
          visitor.note(said, data.entryToken);
        }
        if (said?.state === 'inside') return 'inside';
        if (name === 'gone' || name === 'bye') return 'broken';
      }
    }
  } catch {
    // Broken from the other side.
  } finally {
    clearTimeout(quiet);
    visitor.context.closing.removeEventListener('abort', close);
    response.destroy();
  }
  const at = Date.now();
  if (!visitor.isClosing) visitor.record('stream-end', { status, at, until: at, process, retryAfter: undefined });
  return 'broken';
}

function retryAfterOf({ response }: OpenedStream): number | undefined {
  const text = response?.headers['retry-after'];
  return text === undefined ? undefined : Number(text);
}

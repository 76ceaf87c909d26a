/** A visitor of an event with tier 1: takes a number if it is on, waits for it, and joins the line with it. */
import { join, spendTimeInside } from './poll-door.ts';
import { fromPoll } from './said.ts';
import { codeOf, type Visitor } from './visitor.ts';

const MOST_STEPS = 400;

export async function visitTier1(visitor: Visitor): Promise<void> {
  let place: string | undefined;
  for (let steps = 0; steps < MOST_STEPS && !visitor.isClosing; steps += 1) {
    if (visitor.last?.state === 'inside') return spendTimeInside(visitor, { buys: false });
    if (visitor.last?.state === 'waiting') {
      const path = `/api/queue/status/${visitor.eventId}`;
      const { reply, said } = await visitor.ask('status', { method: 'GET', path }, fromPoll);
      if (said?.state === 'gone') {
        visitor.last = undefined;
        place = undefined;
      }
      await (said === undefined ? visitor.pauseAfter(reply) : visitor.pause(reply.body.nextPoll));
    } else if (place === undefined) {
      place = await takeNumber(visitor);
    } else {
      place = await waitForTurn(visitor, place);
    }
  }
}

/** The signed place; undefined if tier 1 is off, and the visitor joined the line. */
async function takeNumber(visitor: Visitor): Promise<string | undefined> {
  const path = `/vwr/assign/${visitor.eventId}`;
  const { reply } = await visitor.ask('assign', { method: 'POST', path, body: {} }, readNumber);
  if (reply.status === 200) return reply.body.requestId;
  if (codeOf(reply.body) === 'VWR_NOT_ACTIVE') {
    const joined = await join(visitor);
    if (joined.said === undefined) await visitor.pauseAfter(joined.reply);
  } else await visitor.pauseAfter(reply);
  return undefined;
}

/** The place to go on with; undefined if it was exchanged or is no longer valid. */
async function waitForTurn(visitor: Visitor, place: string): Promise<string | undefined> {
  const path = `/vwr/check/${visitor.eventId}/${place}`;
  const { reply } = await visitor.ask('check', { method: 'GET', path }, readNumber);
  if (codeOf(reply.body) === 'VWR_PLACE_NOT_FOUND') return undefined;
  if (reply.body.admitted === true) {
    const joined = await join(visitor);
    if (joined.said !== undefined) return undefined;
    await visitor.pauseAfter(joined.reply);
    return place;
  }
  await (reply.status === 200 ? visitor.pause(reply.body.nextPoll) : visitor.pauseAfter(reply));
  return place;
}

/** A number of tier 1 is no standing in the line; it is recorded as a lobby with that number. */
function readNumber(body: unknown): { state: 'lobby'; number: number } | undefined {
  const { position } = body as { position?: number };
  return position === undefined ? undefined : { state: 'lobby', number: position };
}

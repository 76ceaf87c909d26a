/** A visitor at the claim door: joins with an Idempotency-Key, repeats the request after a lost reply, enters when ready. */
import { randomUUID } from 'node:crypto';
import { leave } from './poll-door.ts';
import { fromClaim, fromEnter } from './said.ts';
import type { Outcome, Visitor } from './visitor.ts';

const MOST_TRIES = 200;

export async function visitByClaim(visitor: Visitor): Promise<void> {
  visitor.signIn();
  const waitingToken = await joinWithKey(visitor);
  if (waitingToken === undefined) return;
  const isNoShow = visitor.chance.happens(0.08);
  while (!visitor.isClosing) {
    const { said, reply } = await status(visitor, waitingToken);
    if (said?.state === 'gone') return;
    if (said?.state === 'ready' && isNoShow) return;
    if (said?.state === 'ready' || said?.state === 'inside') break;
    if (said?.state === 'waiting' && visitor.chance.happens(0.03)) await enter(visitor, waitingToken);
    if (said === undefined) await visitor.pauseAfter(reply);
    else await visitor.pause(reply.body.next_poll);
  }
  if (await enterUntilAnswered(visitor, waitingToken)) {
    await visitor.rest(visitor.chance.between(50, 600));
    await status(visitor, waitingToken);
    if (!visitor.chance.happens(0.1)) await leave(visitor);
  }
}

async function joinWithKey(visitor: Visitor): Promise<string | undefined> {
  const key = randomUUID();
  for (let tries = 0; tries < MOST_TRIES && !visitor.isClosing; tries += 1) {
    const { reply, said } = await visitor.ask(
      'claim-join',
      {
        method: 'POST',
        path: '/api/v1/queue/join',
        body: { event_id: visitor.eventId },
        headers: { 'idempotency-key': key },
      },
      fromClaim,
      { key },
    );
    const token = reply.body.waiting_token;
    if (said !== undefined && typeof token === 'string') {
      if (visitor.chance.happens(0.1) && tries === 0) continue;
      return token;
    }
    if (reply.status === 404 || reply.status === 403 || said?.state === 'gone') return undefined;
    await visitor.pauseAfter(reply);
  }
  return undefined;
}

function status(visitor: Visitor, token: string): Promise<Outcome> {
  const headers = { 'x-waiting-token': token };
  return visitor.ask('claim-status', { method: 'GET', path: '/api/v1/queue/status', headers }, fromClaim);
}

function enter(visitor: Visitor, token: string): Promise<Outcome> {
  const body = { waiting_token: token };
  return visitor.ask('enter', { method: 'POST', path: '/api/v1/queue/enter', body }, fromEnter);
}

async function enterUntilAnswered(visitor: Visitor, token: string): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES && !visitor.isClosing; tries += 1) {
    const { reply, said } = await enter(visitor, token);
    if (said !== undefined) return true;
    if (reply.status === 410 || reply.status === 403) return false;
    await visitor.pauseAfter(reply);
  }
  return false;
}

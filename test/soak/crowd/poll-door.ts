/** A visitor at the poll door: joins, polls any process, gets in, looks around, and buys, leaves or goes silent. */
import { registerWhileWaiting } from './register.ts';
import { fromPoll } from './said.ts';
import { buy } from './shop.ts';
import type { Outcome, Visitor } from './visitor.ts';

/** Tries at joining while the store is away, before the visitor gives up. */
const MOST_TRIES = 200;

export async function visitByPolling(visitor: Visitor): Promise<void> {
  const plan = planOf(visitor);
  if (plan.isUser) visitor.signIn();
  if (!(await joinUntilAnswered(visitor))) return;
  if (plan.signsInLater && !(await registerWhileWaiting(visitor))) return;
  const inside = await waitByPolling(visitor, plan);
  if (inside) await spendTimeInside(visitor, plan);
}

interface Plan {
  isUser: boolean;
  signsInLater: boolean;
  leavesEarly: boolean;
  goesSilent: boolean;
  buys: boolean;
}

function planOf({ chance, context }: Visitor): Plan {
  const isUser = chance.happens(0.5);
  return {
    isUser,
    signsInLater: !isUser && context.shops.length > 0 && chance.happens(0.2),
    leavesEarly: chance.happens(0.08),
    goesSilent: chance.happens(0.06),
    buys: context.shops.length > 0 && chance.happens(0.5),
  };
}

export async function joinUntilAnswered(visitor: Visitor): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES && !visitor.isClosing; tries += 1) {
    const { reply, said } = await join(visitor);
    if (said !== undefined) return true;
    if (reply.status === 404 || reply.status === 403 || reply.status === 409) return false;
    await visitor.pauseAfter(reply);
  }
  return false;
}

export function join(visitor: Visitor): Promise<Outcome> {
  return visitor.ask('join', { method: 'POST', path: `/api/queue/check/${visitor.eventId}` }, fromPoll);
}

/** True once inside. */
async function waitByPolling(visitor: Visitor, plan: Plan): Promise<boolean> {
  let nextPoll: number | undefined = 1;
  let polls = 0;
  while (!visitor.isClosing && visitor.last?.state !== 'inside') {
    await visitor.pause(nextPoll);
    polls += 1;
    if (plan.leavesEarly && polls > 4) return leave(visitor).then(() => false);
    if (plan.goesSilent && polls > 4) await visitor.rest(visitor.chance.between(1_000, 15_000));
    const { reply, said } = await look(visitor);
    nextPoll = reply.body?.nextPoll;
    if (said === undefined) await visitor.pauseAfter(reply);
    // A page joins again when it is told that its place is gone.
    else if (said.state === 'gone' && !(await joinUntilAnswered(visitor))) return false;
  }
  return visitor.last?.state === 'inside';
}

/** Any of the requests that a page sends while it waits; `check` too, as after a reload. */
function look(visitor: Visitor): Promise<Outcome> {
  const { chance, eventId, last } = visitor;
  if (last?.state === 'ready' || chance.happens(0.1)) return join(visitor);
  if (chance.happens(0.1))
    return visitor.ask('heartbeat', { method: 'POST', path: `/api/queue/heartbeat/${eventId}` }, fromPoll);
  return status(visitor);
}

function status(visitor: Visitor): Promise<Outcome> {
  return visitor.ask('status', { method: 'GET', path: `/api/queue/status/${visitor.eventId}` }, fromPoll);
}

/** Polls on, through other processes: nobody inside may be told otherwise. */
export async function spendTimeInside(visitor: Visitor, plan: { buys: boolean }): Promise<void> {
  const looks = visitor.chance.between(1, 5);
  for (let i = 0; i < looks && !visitor.isClosing; i += 1) {
    await status(visitor);
    await visitor.rest(visitor.chance.between(0, 300));
  }
  const bought = plan.buys && !visitor.isClosing && (await buy(visitor));
  // A purchase passes the slot on by itself. Some close the page and let the session run out.
  if (!bought && !visitor.chance.happens(0.1)) await leave(visitor);
}

export async function leave(visitor: Visitor): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { reply } = await visitor.ask(
      'leave',
      { method: 'POST', path: `/api/queue/leave/${visitor.eventId}` },
      fromPoll,
    );
    if (reply.status === 200) return;
    if (visitor.isClosing && tries > 2) return;
    await visitor.pauseAfter(reply);
  }
}

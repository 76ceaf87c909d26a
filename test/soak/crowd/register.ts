/** A guest who creates an account while waiting: the place goes on under the user's id. */
import { codeOf, type Visitor } from './visitor.ts';

const MOST_TRIES = 40;
const PASSWORD = 'copper lantern harvest';

/** False if no response came: the visitor does not know who they are now, and gives up. */
export async function registerWhileWaiting(visitor: Visitor): Promise<boolean> {
  const email = `${visitor.name}@soak.example`;
  let path = '/api/auth/register';
  for (let tries = 0; tries < MOST_TRIES && !visitor.isClosing; tries += 1) {
    const body = { email, password: PASSWORD, ...(path.endsWith('register') ? { name: visitor.name } : {}) };
    const reply = await visitor.browser.send(
      { method: 'POST', path, body },
      visitor.chance.pick(visitor.context.shops),
    );
    visitor.context.recorder.add({
      kind: 'operated',
      action: 'sign-in',
      at: reply.at,
      until: reply.until,
      eventId: visitor.eventId,
      visitor: visitor.name,
      status: reply.status,
    });
    if (reply.status === 200 || reply.status === 201) return true;
    // The account was made and the response was lost: signing in completes it.
    if (codeOf(reply.body) === 'EMAIL_TAKEN') path = '/api/auth/login';
    else if (reply.status !== 0 && reply.status !== 503 && reply.status !== 429) return false;
    await visitor.pauseAfter(reply);
  }
  return false;
}

/**
 * The naive implementation of a line in Redis: one command after another. It looks the visitor up in the queue and the
 * active set, counts both, adds the visitor and reads the rank. Prints its port.
 */
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { createIdentity } from '../src/identity/identity.ts';
import { systemClock } from '../src/platform/clock.ts';
import { benchSecrets } from './processes.ts';

const SEEN_TTL_MS = 600_000;
const redis = new Redis(process.argv[2]!);
const identity = createIdentity({
  authSecrets: [benchSecrets.AUTH_JWT_SECRET],
  guestKeys: [benchSecrets.GUEST_SECRET],
  sessionCookie: { name: 'fairline-session' },
  guestsWelcome: false,
  clock: systemClock,
});

const app = Fastify();
type Params = { Params: { eventId: string } };

app.post<Params>('/api/queue/check/:eventId', async (request) => {
  const visitor = visitorOf(request.headers);
  const { eventId } = request.params;
  if ((await redis.zscore(`naive:{${eventId}}:queue`, visitor)) !== null) return statusOf(eventId, visitor);
  const expiry = await redis.zscore(`naive:{${eventId}}:active`, visitor);
  if (expiry !== null && Number(expiry) > Date.now()) return { status: 'active' };
  const [waiting, threshold] = [
    await redis.zcard(`naive:{${eventId}}:queue`),
    await redis.get(`naive:{${eventId}}:threshold`),
  ];
  const active = await redis.zcount(`naive:{${eventId}}:active`, Date.now(), '+inf');
  if (waiting === 0 && active < Number(threshold ?? 0)) {
    await redis.zadd(`naive:{${eventId}}:active`, Date.now() + SEEN_TTL_MS, visitor);
    return { status: 'active' };
  }
  await redis.zadd(`naive:{${eventId}}:queue`, Date.now(), visitor);
  await redis.sadd('naive:queue:active-events', eventId);
  return statusOf(eventId, visitor);
});

app.get<Params>('/api/queue/status/:eventId', async (request) =>
  statusOf(request.params.eventId, visitorOf(request.headers)),
);

async function statusOf(eventId: string, visitor: string): Promise<object> {
  await redis.zadd(`naive:{${eventId}}:seen`, Date.now(), visitor);
  const rank = await redis.zrank(`naive:{${eventId}}:queue`, visitor);
  if (rank === null) return { status: 'not_in_queue' };
  const queueSize = await redis.zcard(`naive:{${eventId}}:queue`);
  const currentUsers = await redis.zcount(`naive:{${eventId}}:active`, Date.now(), '+inf');
  return {
    status: 'queued',
    position: rank + 1,
    peopleAhead: rank,
    peopleBehind: queueSize - rank - 1,
    queueSize,
    currentUsers,
  };
}

function visitorOf(headers: Parameters<typeof identity.identify>[0]): string {
  const known = identity.identify(headers);
  if (known.outcome !== 'known') throw new Error('the request has no valid token');
  return known.visitor.id;
}

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
process.once('SIGTERM', () => process.exit(0));

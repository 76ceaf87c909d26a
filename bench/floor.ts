/** The floor: the same HTTP server with constant responses to the same requests. Prints its port. */
import Fastify from 'fastify';

const answer = {
  status: 'queued',
  queued: true,
  number: 123_456,
  position: 12_345,
  peopleAhead: 12_344,
  peopleBehind: 54_321,
  nextPoll: 30,
  estimatedWait: 370,
  estimatedWaitRange: { low: 185, high: 555 },
  confidence: 0.5,
  queueSize: 66_666,
  currentUsers: 1000,
  threshold: 1000,
  eventInfo: { eventId: 'concert', state: 'open' },
};

/** A response of tier 1. */
const turn = { admitted: false, position: 12_345, servingCounter: 0, estimatedWait: 247, nextPoll: 15 };

/** A prepared body of the given size, like a cached seat map. */
const bodies = new Map<string, Buffer>();
const bodyOf = (bytes: string): Buffer => {
  const body = bodies.get(bytes) ?? Buffer.alloc(Number(bytes), '0');
  bodies.set(bytes, body);
  return body;
};

const app = Fastify();
app.get<{ Params: { bytes: string } }>('/bytes/:bytes', (request, reply) => reply.send(bodyOf(request.params.bytes)));
app.get('/api/queue/status/:eventId', async () => answer);
app.post('/api/queue/check/:eventId', async () => answer);
app.post('/vwr/assign/:eventId', async () => turn);
app.get('/vwr/check/:eventId/:requestId', async () => turn);
app.get('/vwr/status/:eventId', async () => turn);
app.get('/gate/verify', async (_request, reply) => reply.send());
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
process.once('SIGTERM', () => process.exit(0));

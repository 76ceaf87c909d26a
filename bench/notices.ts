/**
 * The effect of notices on admissions: latency at a fixed rate and at full speed while SQS is healthy, down, or takes five
 * seconds per response, compared with a server that sends no notices; and how many notices were sent, failed or dropped.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { type LoadResult, runLoad, toRequest } from './load.ts';
import { median, putRoom, type Started, startFairline, userTokens } from './processes.ts';

const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = 50;
const JOINS = 40_000;
const PACE = 200;
const SLOW_MS = 5_000;

const healthy = buildApp({ logger: false });
const endpoint = await healthy.listen({ port: 0, host: '127.0.0.1' });
const slow = await listen(
  createServer((_request, response) => setTimeout(() => response.writeHead(200).end(), SLOW_MS)),
);
const down = await listen(createServer());
down.server.close();

const servers: Record<string, Started> = {
  'no notices': await startFairline(settings()),
  'SQS healthy': await startFairline(settings(endpoint, await createQueue())),
  'SQS down': await startFairline(settings(down.endpoint, `${down.endpoint}/queue.fifo`)),
  'SQS slow, 5 s': await startFairline(settings(slow.endpoint, `${slow.endpoint}/queue.fifo`)),
};
type Result = { paced: LoadResult; full: LoadResult };
const results = new Map<string, Result[]>(Object.keys(servers).map((name) => [name, []]));
try {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { port }] of Object.entries(servers)) {
      const result = { paced: await admit(port, `paced-${round}`, PACE), full: await admit(port, `full-${round}`) };
      // The first round is warm-up.
      if (round > 0) results.get(name)!.push(result);
    }
  }
  const rows: Record<string, object> = {};
  for (const [name, { port }] of Object.entries(servers)) rows[name] = await toRow(results.get(name)!, port);
  console.table(rows);
} finally {
  await Promise.all(Object.values(servers).map((started) => started.stop()));
  slow.server.closeAllConnections();
  slow.server.close();
  await healthy.close();
}

function settings(sqs?: string, queueUrl?: string): Record<string, string> {
  const notices =
    sqs === undefined ? {} : { SQS_ENABLED: 'on', SQS_ENDPOINT: sqs, SQS_QUEUE_URL: queueUrl!, LOG_LEVEL: 'error' };
  return { SHOP: 'off', DEMO: 'off', ...notices };
}

/** Every visitor is admitted on joining. */
async function admit(port: number, round: string, perSecond?: number): Promise<LoadResult> {
  const eventId = `concert-${round}`;
  await putRoom(port, eventId, { maxActive: JOINS });
  const requests = userTokens(`fan-${round}`, JOINS).map((token) =>
    toRequest('POST', `/api/queue/check/${eventId}`, token),
  );
  const pace = perSecond === undefined ? {} : { perSecond };
  return runLoad({ port, connections: CONNECTIONS, seconds: SECONDS, requests, repeat: false, ...pace });
}

async function toRow(rounds: readonly Result[], port: number): Promise<object> {
  const of = (kind: keyof Result, name: 'perSecond' | 'p50Ms' | 'p99Ms') =>
    median(rounds.map((round) => round[kind][name]));
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const count = (outcome: string) =>
    Number(new RegExp(`fairline_notices_total\\{sink="sqs",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  return {
    [`p50 ms at ${PACE}/s`]: of('paced', 'p50Ms'),
    [`p99 ms at ${PACE}/s`]: of('paced', 'p99Ms'),
    'admissions/s at full speed': of('full', 'perSecond'),
    'p50 ms at full speed': of('full', 'p50Ms'),
    'p99 ms at full speed': of('full', 'p99Ms'),
    ...{ sent: count('sent'), failed: count('failed'), dropped: count('dropped') },
  };
}

async function createQueue(): Promise<string> {
  const client = new SQSClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: '-', secretAccessKey: '-' },
  });
  const Attributes = { FifoQueue: 'true' };
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'admitted.fifo', Attributes }));
  client.destroy();
  return QueueUrl!;
}

async function listen(server: Server): Promise<{ server: Server; endpoint: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

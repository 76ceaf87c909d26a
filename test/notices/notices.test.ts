import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Context } from '../../src/compose/context.ts';
import { runAdmitterOnce } from '../../src/line/roles/admitter.ts';
import { freePort } from '../support/free-port.ts';
import { type SqsServer, startSqs } from '../support/sqs-server.ts';
import { createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const SECRET = 'a secret of the notices, 32 long or more';

async function metric(context: Context, sink: string, outcome: string): Promise<number> {
  const found = await context.registry.getSingleMetric('fairline_notices_total')!.get();
  return found.values.find(({ labels }) => labels.sink === sink && labels.outcome === outcome)?.value ?? 0;
}

const tick = (context: Context) => runAdmitterOnce({ ...context.line, metrics: context.lineMetrics });

describe('notices to SQS', () => {
  let sqs: SqsServer;
  beforeAll(async () => {
    sqs = await startSqs();
  });
  afterAll(() => sqs.stop());

  it('report each admission once, in order, with a valid entry token', async () => {
    const queueUrl = await sqs.createQueue('admitted');
    const { context, operator, as } = await createTestApp({
      ...{ SQS_ENABLED: 'on', SQS_QUEUE_URL: queueUrl, SQS_ENDPOINT: sqs.endpoint, SHOP: 'off' },
    });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
    const users = ['ann', 'bob', 'cid', '지민'];
    for (const user of users) await as(user)('POST', '/api/queue/check/concert');
    await as('ann')('POST', '/api/queue/check/concert');
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 10 } });
    await tick(context);
    await until('four notices', async () => (await metric(context, 'sqs', 'sent')) === 4);
    const taken = await sqs.takeAll(queueUrl);
    expect(taken.map(({ body }) => body.userId)).toEqual(users);
    expect(taken[1]).toMatchObject({
      group: 'concert',
      dedupe: 'bob:concert',
      body: { action: 'admitted', eventId: 'concert' },
    });
    expect(taken[3]!.dedupe).toMatch(/^[0-9a-f]{64}$/);
    expect(context.entryTokens.verify(String(taken[1]!.body.entryToken))).toMatchObject({ visitor: 'bob' });
  });

  it('are sent in a claim room when the visitor enters', async () => {
    const queueUrl = await sqs.createQueue('claimed');
    const { context, operator } = await createTestApp({
      ...{ SQS_ENABLED: 'on', SQS_QUEUE_URL: queueUrl, SQS_ENDPOINT: sqs.endpoint, SHOP: 'off' },
    });
    await operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 5, admission: 'claim' } });
    for (const visitor of ['ann', 'bob']) {
      await context.line.visits.join('concert', visitor);
      await tick(context);
      // At once, so that the admission and the entry could both cause a notice.
      await context.line.visits.enter('concert', visitor);
    }
    await until('the notices', async () => (await metric(context, 'sqs', 'sent')) >= 2);
    expect(await sqs.takeAll(queueUrl)).toMatchObject([{ body: { userId: 'ann' } }, { body: { userId: 'bob' } }]);
    expect(await metric(context, 'sqs', 'sent')).toBe(2);
  });
});

describe('notices to an SQS that does not respond', () => {
  it('delay no admission, and lost ones are counted', async () => {
    // Accepts connections and never responds.
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    onTestFinished(() => {
      mute.closeAllConnections();
      mute.close();
    });
    await until('the server', () => mute.listening);
    const endpoint = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const { context } = await createTestApp({
      ...{ SQS_ENABLED: 'on', SQS_QUEUE_URL: `${endpoint}/q.fifo`, SQS_ENDPOINT: endpoint, SHOP: 'off' },
      ...{ NOTICE_QUEUE: '50', QUEUE_THRESHOLD: '1000', QUEUE_ADMISSION_BATCH_SIZE: '1000' },
    });
    await context.line.rooms.putRoom('concert', { maxActive: 0 });
    for (let no = 0; no < 200; no += 1) await context.line.visits.join('concert', `v${no}`);
    await context.line.rooms.putRoom('concert', { maxActive: 200 });
    const ticked = await context.line.admissions.tick('concert');
    // All were admitted before a notice could be sent.
    expect(ticked).toMatchObject({ outcome: 'ticked' });
    expect((await context.line.rooms.findRoom('concert'))!.crowd.admitted).toBe(200);
    expect(await metric(context, 'sqs', 'sent')).toBe(0);
    expect(await metric(context, 'sqs', 'dropped')).toBe(150);
  });

  it('are dropped and counted if nothing listens', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const { context } = await createTestApp({
      ...{ SQS_ENABLED: 'on', SQS_QUEUE_URL: `${endpoint}/q.fifo`, SQS_ENDPOINT: endpoint, SHOP: 'off' },
    });
    await context.line.rooms.putRoom('concert', {});
    expect(await context.line.visits.join('concert', 'ann')).toMatchObject({ standing: { state: 'active' } });
    await until('it to be given up', async () => (await metric(context, 'sqs', 'failed')) === 1);
  });
});

describe('notices to a webhook', () => {
  async function listen(answer: (no: number) => number) {
    const requests: { body: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        requests.push({ body, headers: request.headers });
        response.writeHead(answer(requests.length), { location: 'http://127.0.0.1:1/' }).end();
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await until('the server', () => server.listening);
    return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
  }
  const env = (url: string) => ({ NOTICE_WEBHOOK_URL: url, NOTICE_WEBHOOK_SECRET: SECRET, SHOP: 'off' });

  it('are signed, and retried after temporary failures', async () => {
    const { requests, url } = await listen((no) => (no < 3 ? 503 : 200));
    const { context } = await createTestApp(env(url));
    await context.line.rooms.putRoom('concert', {});
    await context.line.visits.join('concert', 'ann');
    await until('the notice', async () => (await metric(context, 'webhook', 'sent')) === 1);
    expect(requests).toHaveLength(3);
    const { body, headers } = requests[2]!;
    expect(JSON.parse(body)).toMatchObject({ action: 'admitted', eventId: 'concert', userId: 'ann' });
    const [, time, mac] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-fairline-signature']))!;
    expect(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('base64url')).toBe(mac);
  });

  it('follow no redirect, and are not retried after a refusal', async () => {
    const { requests, url } = await listen((no) => (no === 1 ? 302 : 400));
    const { context } = await createTestApp(env(url));
    await context.line.rooms.putRoom('concert', {});
    for (const visitor of ['ann', 'bob']) await context.line.visits.join('concert', visitor);
    await until('both to be given up', async () => (await metric(context, 'webhook', 'failed')) === 2);
    expect(requests).toHaveLength(2);
  });
});

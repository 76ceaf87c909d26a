/** Attacks with many identities from one address: each door that makes an identity asks for more and more work. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { IdentityCounts } from '../../src/identity/identity-counts.ts';
import { type Price, toWork } from '../../src/identity/identity-price.ts';
import { type Challenge, findProof } from '../../src/pages/waiting/proof/find-proof.ts';
import { createDevice, type Device, type DeviceOptions } from '../support/device.ts';
import { openStream } from '../support/event-stream.ts';
import { runApp } from '../support/running-app.ts';
import { createTestApp } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';

const ALLOWANCE = 3;
const CHECK = '/api/queue/check/concert';
const ENV = {
  LIMIT_GUEST_JOIN_PER_IP: String(ALLOWANCE),
  LIMIT_VWR_ASSIGN_PER_IP: String(ALLOWANCE),
  VWR_CHALLENGE_DIGITS: '1',
};

/** The ways to get an identity: how a device asks, and how it sends the solved challenge. */
const DOORS: Record<
  string,
  (device: Device, options: DeviceOptions, proof?: object) => Promise<LightMyRequestResponse>
> = {
  poll: (device, options, proof) => device.ask('POST', CHECK, withHeader(options, proof)),
  claim: (device, options, proof) =>
    device.ask('POST', '/api/queue/join', { ...withHeader(options, proof), body: { event_id: 'concert' } }),
  'tier 1': (device, options, proof) =>
    device.ask('POST', '/vwr/assign/tiered', proof === undefined ? options : { ...options, body: proof }),
};

function withHeader(options: DeviceOptions, proof: object | undefined): DeviceOptions {
  return proof === undefined ? options : { ...options, headers: { ...options.headers, ...proofHeader(proof) } };
}

function proofHeader(proof: object): Record<string, string> {
  return { 'x-queue-proof': Buffer.from(JSON.stringify(proof)).toString('base64url') };
}

const challengeOf = (response: { json(): unknown }) => (response.json() as { challenge: Challenge }).challenge;
const solve = (challenge: Challenge) => findProof(challenge, 0, 50_000_000)!;
const hashesOf = ({ parameters }: Challenge) => 16 ** parameters.keyPrefix.length * parameters.cost!;
const isMade = ({ statusCode }: LightMyRequestResponse) => statusCode === 200 || statusCode === 202;

async function open(env: Record<string, string> = {}) {
  const test = await createTestApp({ ...ENV, ...env });
  await test.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 0 } });
  await test.operator('PUT', '/api/admin/rooms/tiered', { body: { maxActive: 0 } });
  await test.operator('POST', '/api/admin/vwr/activate/tiered');
  return test;
}

describe.each(Object.entries(DOORS))('the %s door', (_name, ask) => {
  it('asks for a proof of work after the first identities of an address, and takes it', async () => {
    const { app } = await open();
    for (let i = 0; i < ALLOWANCE; i += 1) expect(isMade(await ask(createDevice(app), {}))).toBe(true);
    const device = createDevice(app);
    const refused = await ask(device, {});
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(isMade(await ask(device, {}, solve(challengeOf(refused))))).toBe(true);
    expect(isMade(await ask(createDevice(app), { remoteAddress: '203.0.113.9' }))).toBe(true);
  });

  it('asks for more work with each identity', async () => {
    const { app } = await open();
    const hashes: number[] = [];
    for (let i = 0; i < ALLOWANCE + 20; i += 1) {
      const device = createDevice(app);
      const response = await ask(device, {});
      if (isMade(response)) continue;
      const challenge = challengeOf(response);
      hashes.push(hashesOf(challenge));
      expect(isMade(await ask(device, {}, solve(challenge)))).toBe(true);
    }
    expect(hashes).toHaveLength(20);
    expect(hashes.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, i) => 16 * (i + 1)));
    expect(hashes.at(-1)).toBeGreaterThanOrEqual(16 * 16);
  });

  it('gives no more free identities to simultaneous requests than to requests in turn', async () => {
    const { app } = await open();
    const responses = await Promise.all(Array.from({ length: 40 }, () => ask(createDevice(app), {})));
    expect(responses.filter(isMade)).toHaveLength(ALLOWANCE);
  });

  it('refuses challenges that were collected while they were cheap', async () => {
    const { app } = await open();
    for (let i = 0; i < ALLOWANCE; i += 1) await ask(createDevice(app), {});
    const collected = [];
    for (let i = 0; i < 40; i += 1) {
      const device = createDevice(app);
      collected.push({ device, challenge: challengeOf(await ask(device, {})) });
    }
    let made = 0;
    for (const { device, challenge } of collected) {
      if (isMade(await ask(device, {}, solve(challenge)))) made += 1;
    }
    expect(made).toBeLessThan(10);
  });

  it('counts the /64s of one IPv6 network together', async () => {
    const { app } = await open();
    const responses = [];
    for (let i = 0; i < 150; i += 1) {
      responses.push(await ask(createDevice(app), { remoteAddress: `2001:db8:1:${i.toString(16)}::1` }));
    }
    const made = responses.filter(isMade).length;
    expect(made).toBeGreaterThan(60);
    expect(made).toBeLessThan(100);
    expect(isMade(await ask(createDevice(app), { remoteAddress: '2001:db8:2::1' }))).toBe(true);
  });
});

describe('the stream door', () => {
  it('asks for a proof of work, and takes it in a header', async () => {
    const app = await runApp({ room: { maxActive: 0 }, env: ENV });
    const path = `${app.url}/events/concert/tickets/waiting`;
    for (let i = 0; i < ALLOWANCE; i += 1) expect((await openStream(path)).status).toBe(200);
    const refused = await fetch(path);
    expect(refused.status).toBe(429);
    const proof = solve(((await refused.json()) as { challenge: Challenge }).challenge);
    const cookie = refused.headers.getSetCookie()[0]!.split(';')[0]!;
    expect((await openStream(path, { cookie, ...proofHeader(proof) })).status).toBe(200);
  });
});

describe('the page without JavaScript', () => {
  it.each([
    ['the line', '/queue/concert?do=join'],
    ['tier 1', '/vwr/tiered'],
  ])('of %s makes no identity beyond the allowance, and says what to do', async (_name, path) => {
    const { app } = await open();
    const post = () =>
      createDevice(app).ask('POST', path, { headers: { 'accept-language': 'en', 'sec-fetch-site': 'same-origin' } });
    for (let i = 0; i < ALLOWANCE; i += 1) expect((await post()).statusCode).toBe(303);
    const refused = await post();
    expect(refused.statusCode).toBe(429);
    expect(refused.body).toContain('Turn on JavaScript');
  });
});

describe('a guest', () => {
  it('with a place polls and joins again at no cost, whatever came from the address', async () => {
    const { app } = await open();
    const known = createDevice(app);
    await known.ask('POST', CHECK);
    for (let i = 0; i < 20; i += 1) await createDevice(app).ask('POST', CHECK);
    for (let i = 0; i < 5; i += 1) {
      expect((await known.ask('POST', CHECK)).statusCode).toBe(200);
      expect((await known.ask('GET', '/api/queue/status/concert')).json().status).toBe('queued');
    }
  });

  it('gets no place from identities that were refused and kept for later', async () => {
    const { app } = await open();
    for (let i = 0; i < ALLOWANCE; i += 1) await createDevice(app).ask('POST', CHECK);
    const kept = Array.from({ length: 20 }, () => createDevice(app));
    for (const device of kept) expect((await device.ask('POST', CHECK)).statusCode).toBe(429);
    const responses = await Promise.all(kept.map((device) => device.ask('POST', CHECK)));
    expect(responses.filter(isMade)).toHaveLength(0);
  });

  it('cannot use the proof of another guest, nor the same one twice, nor a broken one', async () => {
    const { app } = await open();
    for (let i = 0; i < ALLOWANCE; i += 1) await createDevice(app).ask('POST', CHECK);
    const [ann, eve] = [createDevice(app), createDevice(app)];
    const proof = solve(challengeOf(await ann.ask('POST', CHECK)));
    await eve.ask('POST', CHECK);
    const send = (device: Device, headers: Record<string, string>) => device.ask('POST', CHECK, { headers });
    expect((await send(eve, proofHeader(proof))).statusCode).toBe(429);
    const broken = ['', 'x', '{}', '[]', 'null', '{"challenge":{"parameters":null,"signature":""},"solution":{}}'];
    for (const text of broken) {
      const header = { 'x-queue-proof': Buffer.from(text).toString('base64url') };
      expect((await send(ann, header)).statusCode).toBe(429);
    }
    expect((await send(ann, proofHeader(proof))).statusCode).toBe(200);
    await ann.ask('POST', '/api/queue/leave/concert');
    expect((await send(ann, proofHeader(proof))).statusCode).toBe(429);
  });
});

describe('users of the site', () => {
  it('join without a proof of work: the site vouches for them', async () => {
    const { app, as } = await open();
    for (let i = 0; i < 20; i += 1) await createDevice(app).ask('POST', CHECK);
    for (let i = 0; i < 20; i += 1) expect((await as(`user-${i}`)('POST', CHECK)).statusCode).toBe(200);
  });
});

describe('by default', () => {
  const DIGITS = 4;
  const hashes = (price: Price) => {
    if (price.steps === 0) return 0;
    const { zeros, cost } = toWork(price, DIGITS);
    return 16 ** zeros * cost;
  };

  it('the 241 numbers of one address that took 20 seconds cost a hundred times the work', () => {
    const counts = new IdentityCounts(createTestClock());
    let sum = 0;
    for (let i = 0; i < 241; i += 1) sum += hashes(counts.reserve('203.0.113.9', 10));
    expect(sum).toBeGreaterThan(100 * 211 * 16 ** DIGITS);
  });

  it('a shared address gets in at a bounded price, and for free again later', () => {
    const clock = createTestClock();
    const counts = new IdentityCounts(clock);
    let dearest = 0;
    for (let i = 0; i < 5_000; i += 1) dearest = Math.max(dearest, hashes(counts.reserve('203.0.113.9', 10)));
    expect(dearest).toBe(256 * 16 ** DIGITS);
    clock.advance(3_600_000);
    expect(counts.reserve('203.0.113.9', 10).steps).toBe(0);
  });

  it('the price rises with the load of the process, and first visitors still pay nothing', () => {
    const counts = new IdentityCounts(createTestClock());
    for (let i = 0; i < 11; i += 1) counts.reserve('203.0.113.9', 10);
    const calm = counts.reserve('203.0.113.9', 10);
    for (let i = 0; i < 5_000; i += 1) counts.reserve(`10.${i % 200}.${(i >> 3) % 250}.${i % 250}`, 10);
    const busy = counts.reserve('203.0.113.9', 10);
    expect(hashes(busy)).toBeGreaterThan(4 * hashes(calm));
    expect(counts.reserve('198.51.100.1', 10).steps).toBe(0);
  });
});

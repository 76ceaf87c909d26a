/** A visitor's complete journey through a gate in front of a plain site: tier 1, line, entry token, seats. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, startRedis } from '../support/redis-server.ts';
import { runApp } from '../support/running-app.ts';
import { startSite } from '../support/site.ts';
import { secrets } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { ask, type GateResponse, runGate } from './proxy/run-gate.ts';

const PAGE = '/events/concert';
const SEATS = '/api/seats/events/concert';

function createBrowser(url: string) {
  const jar = new Map<string, string>();
  return {
    jar,
    /** `without`: a cookie not to send. */
    async ask(method: string, path: string, without?: string): Promise<GateResponse> {
      const cookies = [...jar].filter(([name]) => name !== without).map(([name, value]) => `${name}=${value}`);
      const response = await ask(url, path, { method, headers: { cookie: cookies.join('; ') } });
      for (const text of response.headers['set-cookie'] ?? []) {
        const [name, value] = text.split(';')[0]!.split('=') as [string, string];
        jar.set(name, value);
      }
      return response;
    },
  };
}

async function runJourney(env: Record<string, string>, gateEnv: Record<string, string> = {}): Promise<void> {
  const line = await runApp({ env: { ...secrets, ...env }, room: { maxActive: 5 } });
  await line.context.tier1.switching.activate('concert');
  const site = await startSite();
  const { url } = await runGate({ GATE_UPSTREAM: site.url, GATE_LINE_URL: line.url, ...gateEnv });
  const browser = createBrowser(url);
  const seats = async (without?: string) => {
    const { status, json } = await browser.ask('GET', SEATS, without);
    return status === 200 ? 'pass' : `${status} ${json.error.code} ${json.redirectTo}`;
  };

  const sentAway = await browser.ask('GET', PAGE);
  expect([sentAway.status, sentAway.headers.location]).toEqual([302, `/vwr/concert?to=${encodeURIComponent(PAGE)}`]);
  expect(await seats()).toBe('403 VWR_REQUIRED /vwr/concert');
  expect(site.asked).toEqual([]);

  const { requestId } = (await browser.ask('POST', '/vwr/assign/concert')).json;
  await line.context.tier1.store.advanceTo('concert', 1);
  await until('the number to come up', async () => {
    return (await browser.ask('GET', `/vwr/check/concert/${requestId}`)).json.admitted === true;
  });
  expect((await browser.ask('GET', PAGE)).status).toBe(200);
  expect(await seats()).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');

  await browser.ask('POST', '/api/queue/check/concert');
  await until('the line to admit the visitor', async () => {
    return (await browser.ask('GET', '/api/queue/status/concert')).json.status === 'active';
  });
  expect(await seats()).toBe('pass');
  expect((await browser.ask('POST', '/api/reservations')).status).toBe(200);

  expect((await browser.ask('GET', PAGE, 'urr-vwr-token')).headers.location).toBe(
    `/vwr/concert?to=${encodeURIComponent(PAGE)}`,
  );
  expect(await seats('urr-vwr-token')).toBe('403 VWR_REQUIRED /vwr/concert');
  expect(await seats('fairline-device')).toBe('403 VWR_TOKEN_INVALID /vwr/concert');
  expect(await seats('urr-entry-token')).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
  expect(await seats('fairline-guest')).toBe('403 ENTRY_TOKEN_INVALID /queue/concert');

  // With tier 1 off, no vwr token is required, but the entry token still is.
  await line.context.tier1.switching.deactivate('concert');
  await until('the gate to notice', async () => (await seats('urr-vwr-token')) === 'pass');
  expect(await seats('urr-entry-token')).toBe('403 ENTRY_TOKEN_REQUIRED /queue/concert');
}

describe('a visitor’s journey on the embedded stores', () => {
  it('reaches the seats with both tokens only', () => runJourney({}));

  it.each(['EdDSA', 'ES256'])('does so with %s through a gate that has public keys and no secret', (algorithm) => {
    const none = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));
    const line = { TOKEN_ALGORITHM: algorithm, QUEUE_ENTRY_TOKEN_SECRET: '', VWR_TOKEN_SECRET: '' };
    return runJourney(line, none);
  });
});

describeWithRedis('a visitor’s journey with Redis', () => {
  it('reaches the seats with both tokens only', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    await runJourney({ REDIS_URL: redis.url });
  });
});

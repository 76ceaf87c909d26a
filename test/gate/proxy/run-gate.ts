/** A gate in front of a site, in this process, with valid tokens. */
import { writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startGate } from '../../../src/compose/gate-process.ts';
import { readGateConfig } from '../../../src/config/read-config.ts';
import { createEntryTokens } from '../../../src/line/tokens/entry-tokens.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createTokenSigner } from '../../../src/platform/jwt/tokens.ts';
import { createDevices } from '../../../src/tier1/tokens/devices.ts';
import { createVwrTokens } from '../../../src/tier1/tokens/vwr-tokens.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { secrets } from '../../support/test-app.ts';

export async function runGate(env: Record<string, string>, rules?: object) {
  const flags = { ...secrets, PORT: '0', LOG_LEVEL: 'silent', GATE_VWR_EVENTS: 'all', STOP_TIMEOUT_MS: '0', ...env };
  const file = rules === undefined ? {} : { GATE_RULES_FILE: writeRules(rules) };
  const gate = await startGate(readGateConfig({ ...flags, ...file }, {}), 'test');
  onTestFinished(() => gate.stop());
  return { url: gate.url, ...createVisitor() };
}

export function writeRules(rules: object): string {
  const path = join(tempFolder(), 'rules.json');
  writeFileSync(path, JSON.stringify(rules));
  return path;
}

/** An admitted visitor: a user with both tokens for the event. */
export function createVisitor(eventId = 'concert', user = 'mina') {
  const now = Date.now();
  const iat = Math.floor(now / 1000);
  const { device, token: deviceToken } = createDevices([secrets.VWR_TOKEN_SECRET], systemClock).create();
  const vwrTokens = createVwrTokens([secrets.VWR_TOKEN_SECRET], systemClock);
  const vwr = vwrTokens.issue({ eventId, device, position: 7, tokenId: 'place.7' });
  const admission = { number: 7, tokenId: 'epoch.7', joinedAt: 0, admittedAt: now, expiresAt: now + 600_000 };
  const entryTokens = createEntryTokens([secrets.QUEUE_ENTRY_TOKEN_SECRET], systemClock);
  const entry = entryTokens.issue(eventId, user, { state: 'active', ...admission });
  const signUser = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'JWT' });
  const signedIn = { authorization: `Bearer ${signUser({ sub: user, iat, exp: iat + 3600 })}` };
  const cookie = `fairline-device=${deviceToken}; urr-vwr-token=${vwr}; urr-entry-token=${entry}`;
  return { signedIn, hasWaited: { ...signedIn, cookie }, entry };
}

export interface GateResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: any response body.
  json: any;
}

export interface SentRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** Sends the path unchanged; fetch would normalize it. */
export function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: SentRequest = {},
): Promise<GateResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json') ?? false;
        const json = isJson && text !== '' ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode!, headers: response.headers, text, json });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

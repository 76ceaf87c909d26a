/** Every kind of signed text against every place where one is expected, and against every key. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIdentity } from '../../src/identity/identity.ts';
import { createKeyRing, createOperatorKey } from '../../src/keys/key-ring.ts';
import { type TokenKind, type TokenKindName, tokenKinds } from '../../src/keys/token-kinds.ts';
import { createWaitingTokens } from '../../src/line/tokens/waiting-tokens.ts';
import { createWebhookSink } from '../../src/notices/webhook/webhook-sink.ts';
import { createTickets } from '../../src/shop/tickets.ts';
import { createDevices } from '../../src/tier1/tokens/devices.ts';
import { createSignedPlaces } from '../../src/tier1/tokens/signed-places.ts';
import { readSources } from '../repository/sources.ts';
import { secrets } from '../support/test-app.ts';
import {
  createTokenWorld,
  EVENT,
  NOTICE_BODY,
  NOTICE_SECRET,
  PAYMENT_BODY,
  type Place,
  type TokenWorld,
} from './token-world.ts';

const kinds = Object.keys(tokenKinds) as TokenKindName[];
const configured: Record<string, string> = { ...secrets, NOTICE_WEBHOOK_SECRET: NOTICE_SECRET };
const secretOf = (kind: TokenKindName) => configured[tokenKinds[kind].setting]!;
const signingKeyOf = (kind: TokenKindName) =>
  kind === 'operatorSession' ? createOperatorKey(secretOf(kind)) : createKeyRing(kind, [secretOf(kind)])[0];

/** The text that was signed, and its MAC. A challenge has a format of altcha-lib and is not read here. */
function signedPartsOf(kind: TokenKindName, { genuine, device }: TokenWorld): { signed: string; mac: string } {
  const text = genuine[kind];
  const end = text.lastIndexOf('.');
  const [signed, mac] = [text.slice(0, end), text.slice(end + 1)];
  if (kind === 'ticketCode') return { signed: `ticket ${signed}`, mac };
  if (kind === 'tier1Place') return { signed: `place ${EVENT} ${device} ${signed.replace(/\.[^.]+$/, '')}`, mac };
  if (kind !== 'paymentWebhook' && kind !== 'notice') return { signed, mac };
  const [, seconds, given] = /^t=(\d+),v1=(.+)$/.exec(text)!;
  return { signed: `${seconds}.${kind === 'notice' ? NOTICE_BODY : PAYMENT_BODY}`, mac: given! };
}

const macOf = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');

async function whatPasses(texts: Record<string, string>, places: readonly Place[]): Promise<string[]> {
  const passed: string[] = [];
  for (const { name, accepts } of places) {
    for (const [kind, text] of Object.entries(texts)) {
      if (await accepts(text)) passed.push(`${kind} passes as ${name}`);
    }
  }
  return passed;
}

describe('kinds of tokens', () => {
  it('pass only where they are expected: of all kinds at all places, the diagonal', async () => {
    const { genuine, places } = await createTokenWorld();
    const diagonal = places.flatMap(({ name, expects }) =>
      expects === undefined ? [] : [`${expects} passes as ${name}`],
    );
    expect(Object.keys(genuine).sort()).toEqual([...kinds].sort());
    expect(places.map(({ expects }) => expects)).toEqual(expect.arrayContaining(kinds));
    expect(await whatPasses(genuine, places)).toEqual(diagonal);
  });

  it('share no key, and a configured secret signs only what outside parties verify', async () => {
    const world = await createTokenWorld();
    const keys = kinds.map(signingKeyOf);
    expect(new Set(keys).size).toBe(kinds.length);
    const outside = kinds.filter((kind) => !('label' in tokenKinds[kind]));
    expect(outside).toEqual(['entryToken', 'vwrToken', 'userSession', 'paymentWebhook', 'notice']);
    const all = new Map([
      ...kinds.map((kind) => [`the key of ${kind}`, signingKeyOf(kind)] as const),
      ...Object.entries(configured),
    ]);
    for (const kind of kinds.filter((kind) => kind !== 'challenge')) {
      const { signed, mac } = signedPartsOf(kind, world);
      const signers = [...all].filter(([, key]) => macOf(key, signed) === mac).map(([name]) => name);
      const expected = [`the key of ${kind}`, ...(outside.includes(kind) ? [tokenKinds[kind].setting] : [])];
      expect(signers, kind).toEqual(expected);
    }
  });

  it('are not taken for another by a verifier outside that ignores typ and kid', async () => {
    const { genuine, clock } = await createTokenWorld();
    const passed: string[] = [];
    for (const [setting, secret] of Object.entries(configured)) {
      for (const [kind, text] of Object.entries(genuine)) {
        const key = new TextEncoder().encode(secret);
        const isTaken = await jwtVerify(text, key, { currentDate: new Date(clock.now()) }).then(
          () => true,
          () => false,
        );
        if (isTaken) passed.push(`${setting}: ${kind}`);
      }
    }
    expect(passed.sort()).toEqual([
      'AUTH_JWT_SECRET: userSession',
      'QUEUE_ENTRY_TOKEN_SECRET: entryToken',
      'VWR_TOKEN_SECRET: vwrToken',
    ]);
  });

  it('signed before the upgrade are still accepted as what they are, and as nothing else', async () => {
    const { clock, context, device, places } = await createTokenWorld();
    const counters = (await context.tier1.room.find(EVENT))!;
    const [entry, vwr] = [secrets.QUEUE_ENTRY_TOKEN_SECRET, secrets.VWR_TOKEN_SECRET];
    const oldIdentity = createIdentity({
      ...{ authSecrets: [secrets.AUTH_JWT_SECRET], guestKeys: [secrets.GUEST_SECRET] },
      ...{ sessionCookie: 'session', guestsWelcome: true, clock },
    });
    const places0 = createSignedPlaces({ keys: [vwr], ttlMs: 60_000, clock });
    const old: Partial<Record<TokenKindName, string>> = {
      waitingToken: createWaitingTokens([entry], clock).issue(EVENT, 'mina', { placeId: 'e.7', joinedAt: clock.now() }),
      deviceCookie: createDevices([vwr], clock).create().token,
      tier1Place: places0.issue({ eventId: EVENT, device, position: 7, activation: counters.activation }),
      guestCookie: oldIdentity.createGuest().token,
      ticketCode: createTickets([secrets.TICKET_SECRET]).codeFor('r_1'),
    };
    const accepting = kinds.filter((kind) => (tokenKinds[kind] as TokenKind).acceptsSecret === true);
    expect(Object.keys(old).sort()).toEqual([...accepting].sort());
    // An edge gate compares guests and devices with the other tokens of the request, which are of this world's own.
    const onNode = places.filter(({ name, expects }) => name.endsWith('on Node') || expects === 'entryToken');
    const diagonal = onNode.flatMap(({ name, expects }) =>
      expects !== undefined && expects in old ? [`${expects} passes as ${name}`] : [],
    );
    expect(await whatPasses(old as Record<string, string>, onNode)).toEqual(diagonal);
  });

  it('include what notices are signed with', async () => {
    const received: { signature: string; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      received.push({ signature: String(request.headers['x-fairline-signature']), body });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { context, clock } = await createTokenWorld({ NOTICE_WEBHOOK_URL: url });
    const sink = createWebhookSink(context.config.notices.webhook!, clock);
    await sink.send([{ action: 'admitted', eventId: EVENT, userId: 'mina', entryToken: 't', timestamp: clock.now() }]);
    const [, seconds, mac] = /^t=(\d+),v1=(.+)$/.exec(received[0]!.signature)!;
    expect(mac).toBe(macOf(signingKeyOf('notice'), `${seconds}.${received[0]!.body}`));
  });
});

describe('files that sign or verify', () => {
  it('are those of the known kinds, so that a new kind gets a key of its own and a row in this suite', () => {
    const signs =
      /\b(?:createMac|createTokenSigner|createTokenVerifier|createHmac|scryptSync|jwtVerify)\(|subtle\.(?:sign|verify)\(/;
    const files = [...readSources('src'), ...readSources('lambda')]
      .filter(({ path, text }) => signs.test(text) && !/^src\/platform\/(?:crypto|jwt)\//.test(path))
      .map(({ path }) => path);
    expect(files.sort()).toEqual(
      [
        'src/accounts/user-sessions.ts', // userSession
        'src/gate/fetch/web-verification-keys.ts', // verifies entryToken, vwrToken, deviceCookie, userSession, guestCookie
        'src/identity/identity.ts', // guestCookie, userSession
        'src/identity/operator-sessions.ts', // operatorSession
        'src/keys/key-ring.ts', // derives keys
        'src/line/tokens/entry-tokens.ts', // entryToken
        'src/line/tokens/waiting-tokens.ts', // waitingToken
        'src/notices/webhook/webhook-sink.ts', // notice
        'src/payments/webhooks.ts', // paymentWebhook
        'src/rehearse/credentials.ts', // userSession, as the site signs it
        'src/shop/tickets.ts', // ticketCode
        'src/tier1/tokens/devices.ts', // deviceCookie
        'src/tier1/tokens/signed-places.ts', // tier1Place
        'src/tier1/tokens/vwr-tokens.ts', // vwrToken
      ].sort(),
    );
  });
});

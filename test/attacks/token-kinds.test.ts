/** Every kind of signed text against every place where one is expected, and against every key. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKnownBrowsers } from '../../src/accounts/known-browsers.ts';
import { createStaffLinks, createStaffPasses } from '../../src/gate/access/staff-passes.ts';
import { createOpenPasses } from '../../src/gate/fail-open/signed-passes.ts';
import { createIdentity } from '../../src/identity/identity.ts';
import { createEntryTokens } from '../../src/line/tokens/entry-tokens.ts';
import { createWaitingTokens } from '../../src/line/tokens/waiting-tokens.ts';
import { createWebhookSink } from '../../src/notices/webhook/webhook-sink.ts';
import { createWebhookSignatures } from '../../src/payments/webhooks.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { createTickets } from '../../src/shop/tickets.ts';
import { createKeyRing } from '../../src/signing-keys/key-ring.ts';
import { createOperatorKeys } from '../../src/signing-keys/operator-keys.ts';
import { type TokenKind, type TokenKindName, tokenKinds } from '../../src/signing-keys/token-kinds.ts';
import { createDevices } from '../../src/tier1/tokens/devices.ts';
import { createSignedPlaces } from '../../src/tier1/tokens/signed-places.ts';
import { createVwrTokens } from '../../src/tier1/tokens/vwr-tokens.ts';
import { readSources } from '../repository/sources.ts';
import { secrets } from '../support/test-app.ts';
import {
  createTokenWorld,
  EMAIL,
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
const operatorKeys = createOperatorKeys(secrets.ADMIN_TOKEN);

function signingKeyOf(kind: TokenKindName): string {
  if (kind === 'operatorSession') return operatorKeys.session();
  if (kind === 'operatorPending') return operatorKeys.pending();
  return createKeyRing(kind, [secretOf(kind)])[0];
}

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

/** A new ADMIN_TOKEN ends all sessions on purpose; notices are verified by their receiver; challenges last minutes. */
const NOT_ROTATED: TokenKindName[] = ['operatorSession', 'operatorPending', 'notice', 'challenge'];
type IssuedKind = Exclude<TokenKindName, 'operatorSession' | 'operatorPending' | 'notice' | 'challenge'>;

const STAFF = { events: [EVENT], minutes: 10, name: 'Sora' };

/** Texts that are right for this world, signed with the given keys. */
async function issueWith(
  keysOf: (kind: IssuedKind) => readonly [string, ...string[]],
  { clock, context, device }: TokenWorld,
): Promise<Record<IssuedKind, string>> {
  const { activation } = (await context.tier1.room.find(EVENT))!;
  const seconds = Math.floor(clock.now() / 1000);
  const identity = createIdentity({
    ...{ authSecrets: keysOf('userSession'), guestKeys: keysOf('guestCookie') },
    ...{ sessionCookie: { name: 'session' }, guestsWelcome: true, clock },
  });
  const signUser = createTokenSigner({ secret: keysOf('userSession')[0], typ: 'JWT' });
  const placesOfTier1 = createSignedPlaces({ keys: keysOf('tier1Place'), ttlMs: 60_000, clock });
  return {
    entryToken: createEntryTokens(keysOf('entryToken'), clock).issue(EVENT, 'mina', {
      ...{ state: 'active', number: 7, tokenId: 'epoch.7' },
      ...{ joinedAt: clock.now(), admittedAt: clock.now(), expiresAt: clock.now() + 600_000 },
    }),
    vwrToken: createVwrTokens(keysOf('vwrToken'), clock).issue({ eventId: EVENT, device, position: 7, tokenId: 'p.7' }),
    userSession: signUser({ sub: 'mina', iat: seconds, exp: seconds + 60 }),
    paymentWebhook: createWebhookSignatures(keysOf('paymentWebhook')).sign(PAYMENT_BODY, seconds),
    waitingToken: createWaitingTokens(keysOf('waitingToken'), clock).issue(EVENT, 'mina', {
      ...{ placeId: 'epoch.7', joinedAt: clock.now() },
    }),
    failOpenPass: await createOpenPasses(keysOf('failOpenPass'), clock).issue(
      { eventId: EVENT, passId: 'p', caller: 'mina', device: undefined, expiresAt: clock.now() + 60_000 },
      clock.now(),
    ),
    deviceCookie: createDevices(keysOf('deviceCookie'), clock).create().token,
    tier1Place: placesOfTier1.issue({ eventId: EVENT, device, position: 7, activation }),
    guestCookie: identity.createGuest().token,
    ticketCode: createTickets(keysOf('ticketCode')).codeFor('r_1'),
    knownBrowser: createKnownBrowsers({ keys: keysOf('knownBrowser'), clock }).issue(EMAIL),
    staffLink: createStaffLinks(keysOf('staffLink'), clock).create(STAFF).link,
    staffPass: createStaffPasses(keysOf('staffPass'), clock).sign(
      createStaffLinks(keysOf('staffLink'), clock).create(STAFF).pass,
    ),
  };
}

/** Without those of a gate in an edge runtime that compare a guest or a device with the other tokens of the same request. */
function comparablePlacesOf({ places }: TokenWorld): Place[] {
  const compares = (kind: TokenKindName | undefined) => kind === 'deviceCookie' || kind === 'guestCookie';
  return places.filter(({ name, expects }) => name.endsWith('on Node') || !compares(expects));
}

const diagonalOf = (places: readonly Place[], passing: readonly string[]) =>
  places.flatMap(({ name, expects }) =>
    expects !== undefined && passing.includes(expects) ? [`${expects} passes as ${name}`] : [],
  );

describe('kinds of tokens', () => {
  it('pass only where they are expected: of all kinds at all places, the diagonal', async () => {
    const { genuine, places } = await createTokenWorld();
    expect(Object.keys(genuine).sort()).toEqual([...kinds].sort());
    expect(places.map(({ expects }) => expects)).toEqual(expect.arrayContaining(kinds));
    expect(await whatPasses(genuine, places)).toEqual(diagonalOf(places, kinds));
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
    const world = await createTokenWorld();
    const accepting = kinds.filter((kind) => (tokenKinds[kind] as TokenKind).acceptsSecret === true);
    const issued = await issueWith((kind) => [secretOf(kind)], world);
    const old = Object.fromEntries(accepting.map((kind) => [kind, issued[kind as IssuedKind]]));
    const places = comparablePlacesOf(world);
    expect(await whatPasses(old, places)).toEqual(diagonalOf(places, accepting));
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

describe('a rotation', () => {
  const rotated = Object.keys(secrets).filter((name) => name !== 'ADMIN_TOKEN');
  const fresh = Object.fromEntries(rotated.map((name) => [name, `new-${name}-0123456789abcdef0123456789abcdef`]));
  const previous = Object.fromEntries(
    Object.entries(secrets).flatMap(([name, value]) => (name in fresh ? [[`${name}_PREVIOUS`, value]] : [])),
  );
  const issueOld = (world: TokenWorld) =>
    issueWith((kind) => createKeyRing(kind, [secretOf(kind)]), world) as Promise<Record<string, string>>;

  it('of all secrets refuses no valid token, old or new, as long as the previous secrets are set', async () => {
    const world = await createTokenWorld({ ...fresh, ...previous });
    const places = comparablePlacesOf(world);
    const old = await issueOld(world);
    expect(Object.keys(old).sort()).toEqual(kinds.filter((kind) => !NOT_ROTATED.includes(kind)).sort());
    expect(await whatPasses(old, places)).toEqual(diagonalOf(places, Object.keys(old)));
    const { genuine } = world;
    expect(await whatPasses(genuine, places)).toEqual(diagonalOf(places, kinds));
  });

  it('refuses all old tokens once the previous secrets are removed', async () => {
    const world = await createTokenWorld(fresh);
    expect(await whatPasses(await issueOld(world), comparablePlacesOf(world))).toEqual([]);
  });

  it('refuses a secret that is in use for another purpose', async () => {
    const env = { GUEST_SECRET_PREVIOUS: secrets.TICKET_SECRET };
    await expect(createTokenWorld(env)).rejects.toThrow('TICKET_SECRET: must differ from GUEST_SECRET_PREVIOUS');
    const notices = { NOTICE_WEBHOOK_SECRET: secrets.PAYMENT_WEBHOOK_SECRET };
    await expect(createTokenWorld(notices)).rejects.toThrow(
      'NOTICE_WEBHOOK_SECRET: must differ from PAYMENT_WEBHOOK_SECRET',
    );
  });
});

describe('files that sign or verify', () => {
  it('are those of the known kinds, so that a new kind gets a key of its own and a row in this suite', () => {
    const signs =
      /\b(?:createMac|createTokenSigner|createTokenVerifier|createSignedKind|createHeldKeyVerifier|createHmac|scryptSync|jwtVerify)\(|subtle\.(?:sign|verify)\(/;
    const files = [...readSources('src'), ...readSources('lambda')]
      .filter(({ path, text }) => signs.test(text) && !/^src\/platform\/(?:crypto|jwt)\//.test(path))
      .map(({ path }) => path);
    expect(files.sort()).toEqual(
      [
        'src/accounts/known-browsers.ts', // knownBrowser
        'src/accounts/user-sessions.ts', // userSession
        'src/gate/access/staff-passes.ts', // staffLink, staffPass
        'src/gate/fail-open/signed-passes.ts', // failOpenPass
        'src/gate/fetch/web-public-keys.ts', // verifies entryToken, vwrToken, staffPass
        'src/gate/fetch/web-user-tokens.ts', // verifies users' tokens of an identity provider
        'src/gate/fetch/web-verification-keys.ts', // verifies entryToken, vwrToken, deviceCookie, userSession, guestCookie, staffPass
        'src/identity/guests.ts', // guestCookie
        'src/identity/identity.ts', // userSession
        'src/identity/issuer/user-tokens.ts', // verifies users' tokens of an identity provider
        'src/identity/operator-sessions.ts', // operatorSession, operatorPending
        'src/identity/totp.ts', // codes of the second factor, compared and not signed
        'src/import-line/user-tokens.ts', // users' tokens, as the site signs them
        'src/signing-keys/derive-secret.ts', // derives secrets from FAIRLINE_SECRET
        'src/signing-keys/held-key.ts', // compares the hash of a key, trusts no signature
        'src/signing-keys/key-ring.ts', // derives keys
        'src/signing-keys/operator-keys.ts', // derives keys
        'src/signing-keys/service-keys.ts', // derives the service key, which signs nothing
        'src/signing-keys/signed-kind.ts', // entryToken, vwrToken, staffPass
        'src/line/lot-source-counter.ts', // names addresses, signs nothing
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

/**
 * One genuine text of every kind that Fairline signs, issued by the real composition, and every place where one is
 * expected: on Node, in the fetch handler and in Lambda@Edge.
 */
import { createHmac } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { createEdgeHandler } from '../../lambda/edge-queue-check.ts';
import { PASS_COOKIE } from '../../src/gate/decision/staff-pass.ts';
import { createFetchHandler } from '../../src/gate/fetch/fetch-handler.ts';
import { createOperatorSessions, OPERATOR_COOKIE } from '../../src/identity/operator-sessions.ts';
import { GUEST_COOKIE } from '../../src/identity/visitor.ts';
import { createWebhookSignatures } from '../../src/payments/webhooks.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import { createOperatorKeys } from '../../src/signing-keys/operator-keys.ts';
import type { TokenKindName } from '../../src/signing-keys/token-kinds.ts';
import { DEVICE_COOKIE } from '../../src/tier1/tokens/vwr-pass.ts';
import { createTestApp, secrets, type TestApp } from '../support/test-app.ts';

export const EVENT = 'concert';
export const EMAIL = 'mina@example.com';
export const NOTICE_SECRET = 'notice-secret-of-the-tests-0123456789abcdef';
export const PAYMENT_BODY = JSON.stringify({
  ...{ id: 'm-1', type: 'payment.captured', orderId: 'o-1', amount: 1, currency: 'KRW' },
});
const STAFF = { events: [EVENT], minutes: 10, name: 'Sora' };
export const NOTICE_BODY = JSON.stringify({ action: 'admitted', eventId: EVENT });

export type Accepts = (text: string) => boolean | Promise<boolean>;

export interface Place {
  name: string;
  /** The only kind that may pass here; undefined: none may. */
  expects: TokenKindName | undefined;
  accepts: Accepts;
  /** Reached by an HTTP header, which cannot carry every text and trims white space. */
  isHeader: boolean;
}

export interface TokenWorld extends TestApp {
  genuine: Record<TokenKindName, string>;
  places: Place[];
  device: string;
}

export async function createTokenWorld(env: Record<string, string> = {}): Promise<TokenWorld> {
  const test = await createTestApp({
    NOTICE_WEBHOOK_URL: 'http://127.0.0.1:1/',
    NOTICE_WEBHOOK_SECRET: NOTICE_SECRET,
    VWR_CHALLENGE_DIGITS: '1',
    ...env,
  });
  const { context, clock } = test;
  await context.line.rooms.putRoom(EVENT, {});
  await context.tier1.switching.activate(EVENT);
  const { tier1, shop, operators } = context;
  // The receiver looks for the order after the signature: none exists, and no database needs to be opened for that.
  Object.assign(shop!.payments, { find: async () => undefined });
  const { device, token: deviceCookie } = tier1.devices.create();
  const taken = await tier1.room.take(EVENT, { device, address: '192.0.2.1', answer: undefined });
  if (taken.outcome !== 'assigned') throw new Error(`no number: ${taken.outcome}`);
  const { counters, requestId } = taken.assigned;
  const task = { eventId: EVENT, owner: device, price: { steps: 1, load: 1 } };
  const challenge = await tier1.proofOfWork.create(task);
  const solution = (await solveChallenge({ challenge, deriveKey }))!;
  const seconds = Math.floor(clock.now() / 1000);
  const entryFor = (visitor: string) =>
    context.entryTokens.issue(EVENT, visitor, {
      ...{ state: 'active', number: 7, tokenId: 'epoch.7' },
      ...{ joinedAt: clock.now(), admittedAt: clock.now(), expiresAt: clock.now() + 600_000 },
    });
  const guest = context.identity.createGuest();
  const signUser = createTokenSigner({ secret: env.AUTH_JWT_SECRET ?? secrets.AUTH_JWT_SECRET, typ: 'JWT' });
  // With an account that needs no database.
  const account = { userId: 'u_1', email: EMAIL, role: 'admin' as const, hasFactor: true, sessionsEndedAt: 0 };
  const sessions = createOperatorSessions({
    signing: createOperatorKeys(secrets.ADMIN_TOKEN),
    keys: operators.keys,
    people: operators.people,
    ended: { hasEnded: async () => false, end: async () => {}, close: async () => {} },
    accounts: { find: async () => account, list: async () => [account], endSessions: async () => {} },
    requiresFactor: false,
    clock,
  });

  const openPass = {
    ...{ eventId: EVENT, passId: 'pass-7', caller: 'mina', device: undefined },
    expiresAt: clock.now() + 600_000,
  };
  const genuine: Record<TokenKindName, string> = {
    entryToken: entryFor('mina'),
    vwrToken: context.vwrTokens.issue({ eventId: EVENT, device, position: 7, tokenId: 'place.7' }),
    userSession: signUser({ sub: 'mina', iat: seconds, exp: seconds + 600 }),
    paymentWebhook: createWebhookSignatures([env.PAYMENT_WEBHOOK_SECRET ?? secrets.PAYMENT_WEBHOOK_SECRET]).sign(
      PAYMENT_BODY,
      seconds,
    ),
    notice: `t=${seconds},v1=${noticeMac(seconds)}`,
    waitingToken: context.waitingTokens.issue(EVENT, 'mina', { placeId: 'epoch.7', joinedAt: clock.now() }),
    failOpenPass: await context.gate.openPasses.issue(openPass, clock.now()),
    deviceCookie,
    tier1Place: requestId,
    challenge: challenge.signature!,
    guestCookie: guest.token,
    ticketCode: shop!.tickets.codeFor('r_1', 2),
    knownBrowser: context.accounts!.knownBrowsers.issue(EMAIL),
    staffLink: context.access.links.create(STAFF).link,
    staffPass: context.access.passes.sign(context.access.links.create(STAFF).pass),
    operatorSession: sessions.begin(account).token,
    operatorPending: sessions.beginPending(account, 'code').token,
  };

  const onNode: Record<TokenKindName, Accepts> = {
    entryToken: (text) => context.gate.keys.entry(text) !== undefined,
    vwrToken: (text) => context.gate.keys.vwr(text) !== undefined,
    userSession: (text) => context.identity.identify({ authorization: `Bearer ${text}` }).outcome === 'known',
    paymentWebhook: async (text) => (await shop!.receive(PAYMENT_BODY, text)) !== 'forged',
    notice: (text) => /^t=(\d+),v1=/.test(text) && text === `t=${seconds},v1=${noticeMac(seconds)}`,
    waitingToken: (text) => context.waitingTokens.verify(text) !== undefined,
    failOpenPass: async (text) => (await context.gate.openPasses.verify(text, clock.now())) !== undefined,
    deviceCookie: (text) => tier1.devices.find(`${DEVICE_COOKIE.name}=${text}`) !== undefined,
    tier1Place: (text) => tier1.room.recognise(text, device, counters) !== undefined,
    challenge: (text) =>
      tier1.proofOfWork.accept(
        { challenge: { parameters: { ...challenge.parameters }, signature: text }, solution },
        task,
      ),
    guestCookie: (text) => context.identity.findGuest({ cookie: `${GUEST_COOKIE.name}=${text}` }) !== undefined,
    ticketCode: (text) => shop!.tickets.read(text) !== undefined,
    knownBrowser: (text) => context.accounts!.knownBrowsers.find(`fairline-browser=${text}`, EMAIL) !== undefined,
    staffLink: (text) => context.access.links.verify(text) !== undefined,
    staffPass: (text) => context.gate.keys.staffPass!(text) !== undefined,
    operatorSession: async (text) => (await sessions.find(`${OPERATOR_COOKIE.name}=${text}`)) !== undefined,
    operatorPending: async (text) => (await sessions.findPending(`${OPERATOR_COOKIE.name}=${text}`)) !== undefined,
  };
  const headerKinds: TokenKindName[] = [
    'userSession',
    'deviceCookie',
    'guestCookie',
    'knownBrowser',
    'staffPass',
    'operatorSession',
    'operatorPending',
  ];

  const ringOf = (name: keyof typeof secrets) =>
    [env[name] ?? secrets[name], env[`${name}_PREVIOUS`]].filter((secret) => secret !== undefined);
  const edgeOptions = {
    secrets: {
      entry: ringOf('QUEUE_ENTRY_TOKEN_SECRET'),
      vwr: ringOf('VWR_TOKEN_SECRET'),
      auth: ringOf('AUTH_JWT_SECRET'),
      guest: ringOf('GUEST_SECRET'),
    },
    vwrEvents: [EVENT],
    now: () => clock.now(),
  };
  const asMina = { ...genuine, guestCookie: undefined, staffPass: undefined };
  const asGuest = {
    ...asMina,
    ...{ guestCookie: genuine.guestCookie, userSession: undefined },
    entryToken: entryFor(guest.visitor.id),
  };
  /** A pass is needed only by those who have no other token. */
  const presentedFor = (kind: TokenKindName) => (kind === 'staffPass' ? {} : kind === 'guestCookie' ? asGuest : asMina);
  const edgePlaces = (name: string, passes: (headers: Record<string, string>) => Promise<boolean>): Place[] =>
    (['entryToken', 'vwrToken', 'deviceCookie', 'userSession', 'guestCookie', 'staffPass'] as const).map((kind) => ({
      name: `${kind} at the ${name}`,
      expects: kind,
      isHeader: true,
      accepts: (text) => passes(toHeaders({ ...presentedFor(kind), [kind]: text })),
    }));

  return {
    ...test,
    genuine,
    device,
    places: [
      ...Object.entries(onNode).map(([kind, accepts]) => ({
        name: `${kind} on Node`,
        expects: kind as TokenKindName,
        accepts,
        isHeader: headerKinds.includes(kind as TokenKindName),
      })),
      {
        name: 'the operator token',
        expects: undefined,
        accepts: async (text) => (await operators.keys.find(text)) !== undefined,
        isHeader: false,
      },
      ...edgePlaces('fetch handler', createFetchGate(edgeOptions)),
      ...edgePlaces('Lambda', createLambdaGate(edgeOptions)),
    ],
  };
}

export const noticeMac = (seconds: number, secret = NOTICE_SECRET) =>
  createHmac('sha256', secret).update(`${seconds}.${NOTICE_BODY}`).digest('base64url');

type Presented = Partial<Record<TokenKindName, string | undefined>>;

function toHeaders({ entryToken, vwrToken, deviceCookie, userSession, guestCookie, staffPass }: Presented) {
  const cookies = {
    'urr-vwr-token': vwrToken,
    'urr-entry-token': entryToken,
    [DEVICE_COOKIE.name]: deviceCookie,
    [GUEST_COOKIE.name]: guestCookie,
    [PASS_COOKIE.name]: staffPass,
  };
  const sent = Object.entries(cookies).filter(([, value]) => value !== undefined);
  return {
    cookie: sent.map(([name, value]) => `${name}=${value}`).join('; '),
    ...(userSession === undefined ? {} : { authorization: `Bearer ${userSession}` }),
  };
}

type EdgeOptions = Parameters<typeof createEdgeHandler>[0];

function createFetchGate(options: EdgeOptions) {
  const site = (async () => new Response('the site')) as typeof fetch;
  const handle = createFetchHandler({ ...options, fetch: site });
  return async (headers: Record<string, string>) =>
    (await handle(new Request(`https://shop.example/api/seats/events/${EVENT}`, { headers }))).status === 200;
}

function createLambdaGate(options: EdgeOptions) {
  const handle = createEdgeHandler(options);
  return async (headers: Record<string, string>) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, [{ key: name, value }]]);
    const request = {
      ...{ method: 'GET', uri: `/api/seats/events/${EVENT}`, querystring: '' },
      headers: Object.fromEntries(sent),
    };
    return !('status' in (await handle({ Records: [{ cf: { request } }] })));
  };
}

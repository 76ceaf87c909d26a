/** Attacks on passwords: guessing them, locking others out, weak ones, and the links that reset them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { createTokenSigner } from '../../src/platform/jwt/tokens.ts';
import {
  codeOf,
  findSecret,
  mailsTo,
  newEmail,
  openBrowser,
  PASSWORD,
  shareAccountDatabase,
} from '../accounts/account-site.ts';
import { ask, describeWithPostgres } from '../support/postgres-server.ts';
import { createTestApp, secrets, type TestApp } from '../support/test-app.ts';

const SESSION = 'fairline-session';
const GUESS = 'a wrong guess';

/** Hashing is slow on purpose. */
vi.setConfig({ testTimeout: 180_000 });

describeWithPostgres('guesses of a password', () => {
  const { createSite } = shareAccountDatabase();

  async function createVictim(env: Record<string, string> = {}) {
    const site = await createSite(env);
    const email = newEmail('victim');
    const owner = openBrowser(site);
    expect((await owner.sign('register', email)).statusCode).toBe(201);
    return { site, email, owner };
  }
  /** Wrong guesses from addresses of their own, one each. */
  async function guessFrom(site: TestApp, email: string, addresses: readonly string[]) {
    for (const address of addresses) await openBrowser(site, address).sign('login', email, GUESS);
  }
  const addresses = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];

  it('do not pass the limit by being made at once', async () => {
    const { site, email } = await createVictim();
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => openBrowser(site, '203.0.113.9').sign('login', email, `${GUESS} ${i}`)),
    );
    expect(guesses.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...new Array(5).fill(401),
      ...new Array(15).fill(429),
    ]);
    for (const { statusCode, headers } of guesses) {
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Registering also compares the password, so it is no way around.
    const registering = await openBrowser(site, '203.0.113.9').sign('register', email, GUESS);
    expect(codeOf(registering)).toEqual([429, 'RATE_LIMITED']);
  });

  it('from the addresses of one IPv6 network count together', async () => {
    const { site, email } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1' });
    await openBrowser(site, '2001:db8:1:1::a').sign('login', email, GUESS);
    expect((await openBrowser(site, '2001:db8:1:1::b').sign('login', email)).statusCode).toBe(429);
    expect((await openBrowser(site, '2001:db8:1:2::a').sign('login', email)).statusCode).toBe(200);
  });

  it('have to wait longer each time, the same for an account that does not exist', async () => {
    const { site, email } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1' });
    const stranger = openBrowser(site, '203.0.113.9');
    const waits = async (account: string) => {
      const seen: unknown[] = [];
      for (let i = 0; i < 3; i += 1) {
        const wrong = await stranger.sign('login', account, GUESS);
        const limited = await stranger.sign('login', account, GUESS);
        seen.push([...codeOf(wrong), ...codeOf(limited), Number(limited.headers['retry-after'])]);
        site.clock.advance(Number(limited.headers['retry-after']) * 1000);
      }
      return seen;
    };
    const limited = [401, 'WRONG_CREDENTIALS', 429, 'RATE_LIMITED'];
    const expected = [30, 60, 120].map((seconds) => [...limited, seconds]);
    expect(await waits(email)).toEqual(expected);
    expect(await waits(newEmail('nobody'))).toEqual(expected);
  });

  it('cannot lock out a browser that signed in before, whatever their addresses', async () => {
    const { site, email, owner } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1' });
    await owner.ask('POST', '/api/auth/logout');
    await guessFrom(site, email, addresses);
    // The account is closed to strangers, also with the right password.
    expect(codeOf(await openBrowser(site, '203.0.113.5').sign('login', email))).toEqual([429, 'RATE_LIMITED']);
    expect((await owner.sign('login', email)).statusCode).toBe(200);
  });

  it('cannot lock out a browser that signed in before by using up the attempts of its address', async () => {
    const { site, email, owner } = await createVictim({ LIMIT_SIGN_IN_PER_IP: '1' });
    await owner.ask('POST', '/api/auth/logout');
    expect((await openBrowser(site).sign('login', newEmail(), GUESS)).statusCode).toBe(429);
    expect((await owner.sign('login', email)).statusCode).toBe(200);
  });

  it('from a known browser are limited by account, also right ones, so that one account cannot fill the queue', async () => {
    const { email, owner } = await createVictim({ LIMIT_SIGN_IN_PER_IP: '2' });
    const statuses = [
      await owner.sign('login', email),
      await owner.sign('login', email),
      await owner.sign('login', email),
    ];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  });

  it('are not helped by the cookie of another account, by a forged one, or by more than their share of the own', async () => {
    const { site, email, owner } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1' });
    const attacker = openBrowser(site, '203.0.113.9');
    await attacker.sign('register', newEmail('attacker'));
    await guessFrom(site, email, addresses);
    expect((await attacker.sign('login', email, GUESS)).statusCode).toBe(429);
    const claims = JSON.parse(Buffer.from(owner.jar['fairline-browser']!.split('.')[1]!, 'base64url').toString());
    const forge = createTokenSigner({ secret: secrets.AUTH_JWT_SECRET, typ: 'known-browser+jwt' });
    attacker.jar['fairline-browser'] = forge({ ...claims, jti: 'another' });
    expect((await attacker.sign('login', email, GUESS)).statusCode).toBe(429);
    attacker.jar['fairline-browser'] = owner.jar['fairline-browser']!;
    expect((await attacker.sign('login', email, GUESS)).statusCode).toBe(401);
    expect((await attacker.sign('login', email, GUESS)).statusCode).toBe(429);
  });

  it('leave the owner a way in from a new browser, by mail', async () => {
    const { site, email } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '1' });
    await guessFrom(site, email, addresses);
    const newBrowser = openBrowser(site, '203.0.113.5');
    expect((await newBrowser.sign('login', email)).statusCode).toBe(429);
    await newBrowser.ask('POST', '/api/auth/password/forgot', { email });
    const secret = await findSecret(site, email, 'reset-password');
    const reset = await newBrowser.ask('POST', '/api/auth/password/reset', { secret, password: 'another horse' });
    expect([reset.statusCode, reset.json().email]).toEqual([200, email]);
    await newBrowser.ask('POST', '/api/auth/logout');
    expect((await newBrowser.sign('login', email, 'another horse')).statusCode).toBe(200);
  });

  it('do not hold up polls: hashing is bounded, and more is refused at once', async () => {
    const site = await createSite();
    await site.operator('PUT', '/api/admin/rooms/concert', { body: { maxActive: 1 } });
    let underWay = 30;
    const guesses = Array.from({ length: 30 }, async () => {
      const answer = await openBrowser(site).sign('login', newEmail('nobody'), GUESS);
      underWay -= 1;
      return answer;
    });
    for (let i = 0; i < 10; i += 1) {
      expect((await site.as('ann')('POST', '/api/queue/check/concert')).statusCode).toBe(200);
    }
    expect(underWay).toBeGreaterThan(0);
    const answers = await Promise.all(guesses);
    const busy = answers.filter(({ statusCode }) => statusCode === 503);
    expect(busy.length).toBeGreaterThanOrEqual(10);
    for (const answer of busy) {
      expect([...codeOf(answer), Number(answer.headers['retry-after'])]).toEqual([503, 'SIGN_IN_BUSY', 3]);
    }
  });

  it('leave places in the queue for hashing to those who are known', async () => {
    const passwords = createPasswords({ logN: 4, blockSize: 8, rounds: 1 });
    const strangers = Array.from({ length: 40 }, () => passwords.verify(GUESS, undefined, 'stranger'));
    const known = passwords.verify(GUESS, undefined, 'known');
    expect((await Promise.all(strangers)).filter((outcome) => outcome === 'busy')).toHaveLength(20);
    expect(await known).toBe(false);
  });

  it('by the holder of a stolen session are limited too', async () => {
    const { email, owner } = await createVictim({ LIMIT_WRONG_PASSWORD_PER_ACCOUNT: '2' });
    const change = (currentPassword: string) =>
      owner.ask('POST', '/api/auth/password', { currentPassword, password: 'another horse' });
    const guesses = await Promise.all([change(GUESS), change(GUESS), change(GUESS)]);
    expect(guesses.map(({ statusCode }) => statusCode).sort()).toEqual([401, 401, 429]);
    expect((await change(PASSWORD)).statusCode).toBe(429);
    expect((await owner.sign('login', email)).statusCode).toBe(200);
  });
});

describeWithPostgres('a weak password', () => {
  const { createSite } = shareAccountDatabase();

  it('is refused when registering: common, personal, repeated, a sequence, a keyboard walk, a date', async () => {
    const site = await createSite();
    const weak = {
      common: [
        'password',
        'Password1!',
        'p4ssw0rd',
        'P@ssw0rd2026',
        'iloveyou',
        'ILoveYou123',
        'sunshine7',
        'dragonmonkey',
      ],
      personal: ['victim@example.org', 'victim2026', 'Victoria99', 'smith-victoria', '1victim!!'],
      pattern: [
        'aaaaaaaa',
        'abcabcabc',
        '12121212',
        '12345678',
        'abcd1234',
        'qwerty123',
        '1q2w3e4r',
        '!QAZ2wsx',
        '19991231',
      ],
      korean: ['tkfkdgo1', 'saranghae', 'qlalfqjsgh1'],
    };
    for (const password of Object.values(weak).flat()) {
      const body = { email: 'victim@example.org', name: 'Victoria Smith', password };
      const refused = await openBrowser(site).ask('POST', '/api/auth/register', body);
      expect(codeOf(refused), password).toEqual([400, 'WEAK_PASSWORD']);
      expect(refused.json().error.fields[0].field).toBe('password');
    }
  });

  it('is refused when changing and when resetting', async () => {
    const site = await createSite();
    const email = newEmail();
    const browser = openBrowser(site);
    await browser.sign('register', email);
    const change = { currentPassword: PASSWORD, password: 'qwerty123' };
    expect(codeOf(await browser.ask('POST', '/api/auth/password', change))).toEqual([400, 'WEAK_PASSWORD']);
    await browser.ask('POST', '/api/auth/password/forgot', { email });
    const secret = await findSecret(site, email, 'reset-password');
    const reset = (password: string) => browser.ask('POST', '/api/auth/password/reset', { secret, password });
    expect(codeOf(await reset('qwerty123'))).toEqual([400, 'WEAK_PASSWORD']);
    expect((await reset('another horse')).statusCode).toBe(200);
  });

  it('is told from a good one, which needs no digits or signs', async () => {
    const site = await createSite();
    for (const password of ['correct horse', 'lampe regal fenster', '비 오는 날의 수채화', 'xxxlampenfieber']) {
      expect((await openBrowser(site).sign('register', newEmail(), password)).statusCode, password).toBe(201);
    }
  });
});

describeWithPostgres('a link that resets a password', () => {
  const { createSite, url } = shareAccountDatabase();
  const MINUTE_MS = 60_000;

  async function createAccount(env: Record<string, string> = {}) {
    const site = await createSite(env);
    const email = newEmail();
    const browser = openBrowser(site);
    await browser.sign('register', email);
    const forgot = (address = email, headers: Record<string, string> = {}) =>
      openBrowser(site).ask('POST', '/api/auth/password/forgot', { email: address }, headers);
    const reset = (secret: string, password = 'another horse') =>
      openBrowser(site).ask('POST', '/api/auth/password/reset', { secret, password });
    return { site, email, browser, forgot, reset };
  }

  it('works once, also when used twice at the same time, and ends every session', async () => {
    const { site, email, browser, forgot, reset } = await createAccount();
    await forgot();
    const secret = await findSecret(site, email, 'reset-password');
    const answers = await Promise.all([reset(secret), reset(secret, 'yet another horse')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    expect(codeOf(await reset(secret))).toEqual([400, 'LINK_INVALID']);
    expect((await browser.ask('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await browser.sign('login', email)).statusCode).toBe(401);
    expect((await mailsTo(site, email)).at(-1)).toContain('your password was changed');
  });

  it('works for 30 minutes, and ends with a change of the password', async () => {
    const { site, email, browser, forgot, reset } = await createAccount();
    await forgot();
    const first = await findSecret(site, email, 'reset-password');
    site.clock.advance(30 * MINUTE_MS + 1);
    expect(codeOf(await reset(first))).toEqual([400, 'LINK_INVALID']);
    await forgot();
    const second = await findSecret(site, email, 'reset-password');
    await browser.ask('POST', '/api/auth/password', { currentPassword: PASSWORD, password: 'changed horse' });
    expect(codeOf(await reset(second))).toEqual([400, 'LINK_INVALID']);
  });

  it('is not a link of another kind, nor what the database holds', async () => {
    const { site, email, forgot, reset } = await createAccount();
    expect(codeOf(await reset(await findSecret(site, email, 'confirm-email')))).toEqual([400, 'LINK_INVALID']);
    await forgot();
    const secret = await findSecret(site, email, 'reset-password');
    const rows = await ask(url(), 'select * from account_links');
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const { secret_hash } of rows) expect((await reset(String(secret_hash))).statusCode).toBe(400);
  });

  it('does not show whether an account exists, and ignores the Host header', async () => {
    const { site, email, forgot } = await createAccount();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const [known, unknown] = [await forgot(email, headers), await forgot(newEmail('nobody'), headers)];
    const visible = ({ statusCode, body, headers: sent }: typeof known) => [statusCode, body, Object.keys(sent).sort()];
    expect(visible(known)).toEqual(visible(unknown));
    const mail = (await mailsTo(site, email)).at(-1);
    expect(mail).toContain('https://tickets.example/reset-password#');
    expect(mail).not.toContain('evil.example');
  });

  it('is mailed three times at most while links work, so a stranger neither floods nor locks out the owner', async () => {
    const { site, email, forgot, reset } = await createAccount();
    for (let i = 0; i < 6; i += 1) expect((await forgot()).statusCode).toBe(202);
    const links = (await mailsTo(site, email)).filter((mail) => mail.includes('/reset-password#'));
    expect(links).toHaveLength(3);
    expect((await reset(/reset-password#([\w-]+)/.exec(links[0]!)![1]!)).statusCode).toBe(200);
  });

  it('gives no operator session', async () => {
    const { site, email, forgot } = await createAccount();
    await site.operator('PUT', '/api/admin/accounts/role', { body: { email, role: 'operator' } });
    await forgot();
    const secret = await findSecret(site, email, 'reset-password');
    const thief = openBrowser(site);
    await thief.ask('POST', '/api/auth/password/reset', { secret, password: 'another horse' });
    expect(Object.keys(thief.jar).sort()).toEqual(['fairline-browser', SESSION]);
  });

  it('is in a file that only its owner can read, if there is no mail server', async () => {
    const { site, email, forgot } = await createAccount();
    await forgot();
    await mailsTo(site, email);
    const dir = join(site.dataDir, 'mail');
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  });

  it('is limited by address', async () => {
    const site = await createTestApp({ DATABASE_URL: url(), LIMIT_SIGN_IN_PER_IP: '2' });
    const forgot = () => openBrowser(site).ask('POST', '/api/auth/password/forgot', { email: newEmail() });
    const answers = [await forgot(), await forgot(), await forgot()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 429]);
  });
});

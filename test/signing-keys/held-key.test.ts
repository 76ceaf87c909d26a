import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGuests } from '../../src/identity/guests.ts';
import { createDeviceFinder, createDevices } from '../../src/tier1/tokens/devices.ts';
import { createTestClock } from '../support/test-clock.ts';

const clock = createTestClock();
const SECRET = 'a secret of guests and devices, long enough';
const OTHER = 'another secret that a thief has made up, long';
const line = createGuests({ guestKeys: [SECRET], clock });
const gate = createGuests({ guestKeys: [], trustsHeldKeys: true, clock });
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

/** A cookie as anybody can write it. */
function write(claims: object, { typ = 'guest+jwt', alg = 'HS256', secret = OTHER } = {}): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg, typ, kid: 'any' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('the cookie of a guest', () => {
  it('names the hash of the key in it', () => {
    const { visitor, token } = line.create();
    const { sub, key } = claimsOf(token);
    const hash = createHash('sha256').update(`fairline guest ${key}`).digest('base64url').slice(0, 16);
    expect([sub, Buffer.from(key, 'base64url').length]).toEqual([`guest:${hash}`, 16]);
    expect(visitor).toEqual({ id: sub, kind: 'guest' });
  });

  it('identifies the guest at the line by its signature, and at a gate without secrets by the key', () => {
    const { visitor, token } = line.create();
    expect([line.verify(token), gate.verify(token)]).toEqual([visitor, visitor]);
  });

  it('of a thief who knows only the id is refused everywhere', () => {
    const { visitor, token } = line.create();
    const { iat, exp } = claimsOf(token);
    const other = claimsOf(line.create().token);
    for (const stolen of [
      { sub: visitor.id, iat, exp },
      { sub: visitor.id, key: other.key, iat, exp },
      { sub: visitor.id, key: visitor.id.slice(6), iat, exp },
      { sub: visitor.id, key: [other.key], iat, exp },
    ]) {
      expect([line.verify(write(stolen)), gate.verify(write(stolen))]).toEqual([undefined, undefined]);
    }
  });

  it('of anybody’s own making is nobody at the line, so that identities cannot be made for nothing', () => {
    const claims = claimsOf(line.create().token);
    expect(line.verify(write(claims))).toBeUndefined();
    expect(gate.verify(write(claims))).toMatchObject({ id: claims.sub });
    expect(gate.verify(write(claims, { typ: 'device+jwt' }))).toBeUndefined();
    expect(gate.verify(write(claims, { alg: 'none' }))).toBeUndefined();
    expect(gate.verify(write({ ...claims, exp: claims.iat - 60 }))).toBeUndefined();
  });

  it('without a key needs the secret', () => {
    const iat = Math.floor(clock.now() / 1000);
    const signed = createGuests({ guestKeys: [SECRET], trustsHeldKeys: true, clock });
    const old = line.create().token;
    const without = claimsOf(old);
    delete without.key;
    expect(gate.verify(write({ sub: 'guest:old', iat, exp: iat + 60 }))).toBeUndefined();
    expect(signed.verify(old)).toMatchObject({ id: without.sub });
  });
});

describe('the cookie of a device', () => {
  it('works the same, and a guest’s key is no device’s', () => {
    const devices = createDevices([SECRET], clock);
    const find = createDeviceFinder({ keys: [], trustsHeldKeys: true, clock });
    const { device, token } = devices.create();
    expect([devices.find(`fairline-device=${token}`), find(`fairline-device=${token}`)]).toEqual([device, device]);
    const { key } = claimsOf(line.create().token);
    const { iat, exp } = claimsOf(token);
    const forged = write({ sub: device, key, iat, exp }, { typ: 'device+jwt' });
    expect([devices.find(`fairline-device=${forged}`), find(`fairline-device=${forged}`)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

/**
 * Signs and verifies staff links and staff passes. A link is opened once, by one device, which then holds the pass in a
 * cookie. They are two kinds, so that a link is no pass: opening it is what binds it to a device.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { createTokenSigner, createTokenVerifier } from '../../platform/jwt/tokens.ts';
import type { KeyRing } from '../../signing-keys/key-ring.ts';
import type { KindKeys } from '../../signing-keys/kind-keys.ts';
import { createSignedKind } from '../../signing-keys/signed-kind.ts';
import { PASS_TYP, type StaffPass, toStaffPass } from '../decision/staff-pass.ts';

const LINK_TYP = 'pass-link+jwt';
/** Staff are few. */
const REMEMBERED = 10_000;
export const MOST_PASS_MINUTES = 30 * 24 * 60;

export interface NewLink {
  events: readonly string[];
  minutes: number;
  name: string;
}

export interface StaffLinks {
  create(link: NewLink): { pass: StaffPass; link: string };
  verify(link: string): StaffPass | undefined;
}

export interface StaffPasses {
  sign(pass: StaffPass): string;
  verify(token: string): StaffPass | undefined;
}

export function createStaffLinks(keys: KeyRing, clock: Clock): StaffLinks {
  const sign = createTokenSigner({ secret: keys[0], typ: LINK_TYP });
  return {
    create({ events, minutes, name }) {
      const iat = Math.floor(clock.now() / 1000);
      const exp = iat + minutes * 60;
      const id = randomBytes(12).toString('base64url');
      return { pass: { id, events, name, expiresAt: exp * 1000 }, link: sign({ sub: id, events, name, iat, exp }) };
    },
    verify: createTokenVerifier({ secrets: keys, typ: LINK_TYP, read: toStaffPass, clock, remembered: REMEMBERED }),
  };
}

export function createStaffPasses(keys: KeyRing | KindKeys, clock: Clock): StaffPasses {
  const options = { keys, typ: PASS_TYP, read: toStaffPass, clock, remembered: REMEMBERED };
  const { sign, verify } = createSignedKind(options);
  return {
    sign({ id, events, name, expiresAt }) {
      const iat = Math.floor(clock.now() / 1000);
      return sign({ sub: id, events, name, iat, exp: Math.floor(expiresAt / 1000) });
    },
    verify,
  };
}

/** The path that staff open. The link is in the fragment, which browsers send to no server and no log has. */
export function toLinkPath(eventId: string, link: string): string {
  return `/queue/${eventId}/pass#${link}`;
}

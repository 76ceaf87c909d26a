/**
 * Places: the signed `requestId` by which a device comes back. It says its position, so that nothing has to be looked up
 * to check it. Event and device are signed but not in it: it is worth nothing with another event or device.
 *
 * `position.issuedAt.activation.keyId.mac`, the numbers in base 36: some 75 characters, where a JWT would be 350, which
 * is long for a path. The signed text holds spaces, as no token's does, so that neither passes for the other.
 */
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { createMac, isSameMac, type Mac } from '../../platform/crypto/hmac.ts';
import { keyIdOf } from '../../platform/jwt/tokens.ts';

export interface Place {
  eventId: string;
  device: string;
  position: number;
  activation: string;
}

export interface Places {
  issue(place: Place): string;
  /** What a genuine place of this device at this event says that is not too old; undefined for any other text. */
  verify(requestId: string, eventId: string, device: string): Place | undefined;
}

export interface PlacesOptions {
  /** The one to sign with, then those that are still good. */
  secrets: readonly [string, ...string[]];
  ttlMs: number;
  clock: Clock;
}

const FORM = /^([0-9a-z]{1,11})\.([0-9a-z]{1,8})\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{43})$/;
const LONGEST = 512;
const TOLERANCE_MS = 5_000;
/** Verified ones: whoever waits checks the same place again and again. */
const REMEMBERED = 200_000;

interface Verified {
  place: Place;
  issuedAtMs: number;
}

export function createPlaces({ secrets, ttlMs, clock }: PlacesOptions): Places {
  const macs = new Map<string, Mac>(secrets.map((secret) => [keyIdOf(secret), createMac(secret, LONGEST)]));
  const keyId = keyIdOf(secrets[0]);
  const remembered = new RecentMap<Verified>(REMEMBERED);
  const sign = (eventId: string, device: string, said: string, key: string): string =>
    macs.get(key)!(`place ${eventId} ${device} ${said}`);

  return {
    issue({ eventId, device, position, activation }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const said = `${position.toString(36)}.${issuedAt.toString(36)}.${activation}`;
      return `${said}.${keyId}.${sign(eventId, device, said, keyId)}`;
    },
    verify(requestId, eventId, device) {
      const name = `${eventId} ${device} ${requestId}`;
      const known = remembered.get(name);
      const verified = known ?? open(requestId, eventId, device);
      if (verified === undefined) return undefined;
      if (known === undefined) remembered.set(name, verified);
      const ageMs = clock.now() - verified.issuedAtMs;
      return ageMs <= ttlMs && ageMs >= -TOLERANCE_MS ? verified.place : undefined;
    },
  };

  function open(requestId: string, eventId: string, device: string): Verified | undefined {
    const [, position, issuedAt, activation, key, mac] = FORM.exec(requestId) ?? [];
    if (position === undefined || !macs.has(key!)) return undefined;
    if (!isSameMac(mac!, sign(eventId, device, `${position}.${issuedAt}.${activation}`, key!))) return undefined;
    const place = { eventId, device, position: Number.parseInt(position, 36), activation: activation! };
    return { place, issuedAtMs: Number.parseInt(issuedAt!, 36) * 1000 };
  }
}

/** Each event has a cookie of its own: a device may wait for several. */
export const placeCookie = (eventId: string): string => `fairline-place-${eventId}`;

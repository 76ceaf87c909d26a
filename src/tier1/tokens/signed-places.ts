/**
 * Signed places: the `requestId` of a device. It contains the position, so a check reads no store. Event and device are
 * signed but not included: it is invalid for any other event or device.
 *
 * Format: `position.issuedAt.activation.keyId.mac`, numbers in base 36. About 75 characters, short enough for a path; a
 * JWT would be 350.
 */
import type { Clock } from '../../platform/clock.ts';
import { RecentMap } from '../../platform/collections/recent-map.ts';
import { createMac, isSameMac, type Mac } from '../../platform/crypto/hmac.ts';
import { keyIdOf } from '../../platform/jwt/verifying-key.ts';

export interface SignedPlace {
  eventId: string;
  device: string;
  position: number;
  activation: string;
}

export interface SignedPlaces {
  issue(place: SignedPlace): string;
  /** The place, if the signature is valid for this event and device and has not expired; otherwise undefined. */
  verify(requestId: string, eventId: string, device: string): SignedPlace | undefined;
}

export interface SignedPlacesOptions {
  /** The signing key, then older ones that are still accepted. */
  keys: readonly [string, ...string[]];
  ttlMs: number;
  clock: Clock;
}

const FORM = /^([0-9a-z]{1,11})\.([0-9a-z]{1,8})\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{43})$/;
const LONGEST = 512;
const TOLERANCE_MS = 5_000;
/** Verified places are cached: a waiting device sends the same one with every check. */
const REMEMBERED = 200_000;
const UNUSED_MS = 300_000;

interface Verified {
  place: SignedPlace;
  issuedAtMs: number;
}

export function createSignedPlaces({ keys, ttlMs, clock }: SignedPlacesOptions): SignedPlaces {
  const macs = new Map<string, Mac>(keys.map((key) => [keyIdOf(key), createMac(key, LONGEST)]));
  const keyId = keyIdOf(keys[0]);
  const remembered = new RecentMap<Verified>(REMEMBERED, { unusedMs: UNUSED_MS });
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

/** One cookie per event: a device may wait for several. */
export const placeCookie = (eventId: string): string => `fairline-place-${eventId}`;

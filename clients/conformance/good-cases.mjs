/** Tokens that must be accepted. */

import { encode, toToken } from './sign.mjs';
import {
  device,
  EXPIRES,
  entryClaims,
  entryToken,
  good,
  guest,
  headerOf,
  keys,
  NOW,
  otherGuest,
  vwrToken,
} from './world.mjs';

const { ed, edNext, es, entry, entryPrevious, vwr, vwrPrevious } = keys;
const MAX_LENGTH = 2048;

export const goodCases = () => [...tokens(), ...times(), ...callers(), ...places()];

function tokens() {
  return [
    good('entry EdDSA', 'An entry token of a guest.', { token: entryToken(ed) }),
    good('entry ES256', 'An entry token of a guest.', { token: entryToken(es) }),
    good('entry HS256', 'An entry token of a guest.', { token: entryToken(entry) }),
    good('entry EdDSA, next key', 'The key set holds several keys; the kid selects one.', {
      token: entryToken(edNext),
    }),
    good('entry HS256, previous secret', 'Still valid during a rotation.', { token: entryToken(entryPrevious) }),
    good('vwr EdDSA', 'A vwr token of a device.', { kind: 'vwr', token: vwrToken(ed) }),
    good('vwr ES256', 'A vwr token of a device.', { kind: 'vwr', token: vwrToken(es) }),
    good('vwr HS256', 'A vwr token of a device.', { kind: 'vwr', token: vwrToken(vwr) }),
    good('vwr HS256, previous secret', 'Still valid during a rotation.', { kind: 'vwr', token: vwrToken(vwrPrevious) }),
    good(
      'entry of a user EdDSA',
      'The site knows the user.',
      { token: entryToken(ed, { uid: 'mina' }), user: 'mina' },
      { visitor: 'mina' },
    ),
    good(
      'entry of a user ES256',
      'The site knows the user.',
      { token: entryToken(es, { uid: 'mina' }), user: 'mina' },
      { visitor: 'mina' },
    ),
    good(
      'entry of a user HS256',
      'The site knows the user.',
      { token: entryToken(entry, { uid: 'mina' }), user: 'mina' },
      { visitor: 'mina' },
    ),
    good(
      'user id in another script',
      'Ids are any printable text.',
      { token: entryToken(ed, { uid: '미나 김' }), user: '미나 김' },
      { visitor: '미나 김' },
    ),
    good('unknown claims', 'Claims that a verifier does not know are ignored.', {
      token: entryToken(ed, { lane: 'priority', x: [1, { y: null }] }),
    }),
    good('unknown header parameters', 'A key in the header is ignored; the kid selects the key.', {
      token: entryToken(ed, {}, { jwk: keys.foreignEd.jwk, jku: 'https://evil.example/jwks.json' }),
    }),
    good('claims in another order, with white space', 'JSON is JSON.', {
      token: toToken(headerOf(ed), JSON.stringify(entryClaims(ed), null, 2), ed),
    }),
    good('text with escapes', 'JSON escapes are read.', {
      token: toToken(headerOf(ed), JSON.stringify(entryClaims(ed)).replace('concert', 'c\\u006fncert'), ed),
    }),
    good('list of audiences', 'RFC 7519 allows a list.', {
      token: entryToken(ed, { aud: ['another-site', 'fairline'] }),
    }),
    good('HS256 with issuer and audience', 'Set where the line is configured to.', {
      token: entryToken(entry, { iss: 'fairline', aud: 'fairline' }),
    }),
    good('2048 characters', 'The longest token.', { token: tokenOfLength(MAX_LENGTH) }),
  ];
}

/** Padded by a claim that nobody reads. base64url needs 4 characters for 3 bytes, so not every length exists. */
export function tokenOfLength(length) {
  // Three bytes of padding are four characters: begin a little below.
  const least = Math.max(1, Math.floor(((length - entryToken(ed, { x: '' }).length) * 3) / 4) - 3);
  for (let padding = least; padding < length; padding += 1) {
    const token = entryToken(ed, { x: 'x'.repeat(padding) });
    if (token.length === length) return token;
    if (token.length > length) break;
  }
  throw new RangeError(`no token has ${length} characters`);
}

function times() {
  return [
    good('4 s after the end', 'Clocks differ: 5 s of tolerance.', { token: entryToken(ed), now: EXPIRES + 4 }),
    good('5 s before the beginning', 'Clocks differ: 5 s of tolerance.', { token: entryToken(ed, { nbf: NOW + 5 }) }),
    good('issued in the future', 'Only exp and nbf limit the time.', { token: entryToken(ed, { iat: NOW + 60 }) }),
    good('vwr 4 s after the end', 'Clocks differ: 5 s of tolerance.', {
      kind: 'vwr',
      token: vwrToken(ed),
      now: EXPIRES + 4,
    }),
  ];
}

function callers() {
  return [
    good('any event', 'The site compares the event of the result itself.', { token: entryToken(ed), event: null }),
    good('guest with a __Host- cookie', 'Over TLS the cookie has this name.', {
      token: entryToken(ed),
      cookies: [`__Host-fairline-guest=${guest.cookie}`],
    }),
    good('__Host- cookie before the plain one', 'Another site of the domain may have set the plain one.', {
      token: entryToken(ed),
      cookies: [`fairline-guest=${otherGuest.cookie}`, `__Host-fairline-guest=${guest.cookie}`],
    }),
    good('device with a __Host- cookie', 'Over TLS the cookie has this name.', {
      kind: 'vwr',
      token: vwrToken(ed),
      cookies: [`__Host-fairline-device=${device.cookie}`],
    }),
  ];
}

function places() {
  const guestCookie = `fairline-guest=${guest.cookie}`;
  return [
    good('token in the header', 'Apps send x-queue-entry-token.', { header: entryToken(ed) }),
    good('header before cookie', 'The header counts if both are there.', { token: 'nonsense', header: entryToken(ed) }),
    good('between other cookies', 'A Cookie header holds many.', {
      cookies: ['a=1', `urr-entry-token=${entryToken(ed)}`, 'b=2=3', guestCookie],
    }),
    good('first of two cookies', 'Browsers send the most specific one first.', {
      cookies: [`urr-entry-token=${entryToken(ed)}`, 'urr-entry-token=other', guestCookie],
    }),
    good('a cookie whose name ends alike', 'A name is compared as a whole.', {
      cookies: [
        'x-urr-entry-token=1',
        `urr-entry-token=${entryToken(ed)}`,
        `x-fairline-guest=${encode('x')}`,
        guestCookie,
      ],
    }),
  ];
}

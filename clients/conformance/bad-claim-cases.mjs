/** Genuine tokens with the wrong claims, at the wrong time, for another event or of another visitor. */
import { encode, toToken } from './sign.mjs';
import {
  bad,
  device,
  EXPIRES,
  entryClaims,
  entryToken,
  guest,
  headerOf,
  keys,
  NOW,
  otherDevice,
  otherGuest,
  toCookie,
  vwrToken,
} from './world.mjs';

const { ed, es, entry } = keys;

export const badClaimCases = () => [
  ...contents(),
  ...entryTypes(),
  ...vwrTypes(),
  ...parties(),
  ...times(),
  ...events(),
  ...guests(),
  ...users(),
  ...devices(),
];

/** Claims as a text, to write what JSON.stringify does not. */
const withText = (text) => toToken(headerOf(ed), text, ed);
const withRaw = (name, text) => {
  const rest = JSON.stringify(entryClaims(ed, { [name]: undefined }));
  return withText(`${rest.slice(0, -1)},"${name}":${text}}`);
};

function contents() {
  const claims = (name, why, text) => bad(name, 'claims', why, { token: withText(text) });
  return [
    claims('claims are no JSON', 'They must be an object.', 'concert'),
    claims('claims are cut off', 'They must be an object.', JSON.stringify(entryClaims(ed)).slice(0, -1)),
    claims('text after the claims', 'One object and nothing else.', `${JSON.stringify(entryClaims(ed))} {}`),
    claims('claims are a list', 'They must be an object.', '["concert"]'),
    claims('claims are null', 'They must be an object.', 'null'),
    claims('claims are a number', 'They must be an object.', '7'),
    claims('empty object', 'sub, uid, jti and exp are required.', '{}'),
  ];
}

function entryTypes() {
  const claims = (name, why, more) => bad(name, 'claims', why, { token: entryToken(ed, more) });
  const raw = (name, why, claim, text) => bad(name, 'claims', why, { token: withRaw(claim, text) });
  return [
    claims('no sub', 'The event.', { sub: undefined }),
    claims('sub as a number', 'A text.', { sub: 7 }),
    claims('sub as a list', 'A text.', { sub: ['concert'] }),
    claims('no uid', 'The visitor.', { uid: undefined }),
    claims('uid null', 'A text.', { uid: null }),
    claims('uid as a number', 'A text.', { uid: 7 }),
    claims('no jti', 'The admission.', { jti: undefined }),
    claims('jti as a number', 'A text.', { jti: 7 }),
    claims('no exp', 'A token ends.', { exp: undefined }),
    claims('exp as a text', 'A number.', { exp: String(EXPIRES) }),
    claims('exp null', 'A number.', { exp: null }),
    claims('exp true', 'A number.', { exp: true }),
    raw('exp 1e400', 'Infinite in most languages: a token would not end.', 'exp', '1e400'),
    raw('exp Infinity', 'Not JSON, although some parsers read it.', 'exp', 'Infinity'),
    raw('NaN in a claim that nobody reads', 'Not JSON, although some parsers read it.', 'x', 'NaN'),
    raw('exp NaN', 'Not JSON, although some parsers read it.', 'exp', 'NaN'),
    claims('exp beyond any date', 'At most 8.64e12 seconds.', { exp: 8.64e12 + 1 }),
    claims('nbf as a text', 'A number.', { nbf: '0' }),
    claims('nbf null', 'A number.', { nbf: null }),
    claims('iat as a text', 'A number.', { iat: 'today' }),
    claims('iat null', 'A number.', { iat: null }),
  ];
}

function vwrTypes() {
  const claims = (name, why, more) => bad(name, 'claims', why, { kind: 'vwr', token: vwrToken(ed, more) });
  return [
    claims('vwr without tier', 'Tier 1.', { tier: undefined }),
    claims('vwr of tier 2', 'Tier 1.', { tier: 2 }),
    claims('tier as a text', 'A number.', { tier: '1' }),
    claims('tier true', 'A number.', { tier: true }),
    claims('vwr without pos', 'The number of the device.', { pos: undefined }),
    claims('pos 0', 'Numbers begin at 1.', { pos: 0 }),
    claims('pos negative', 'Numbers begin at 1.', { pos: -7 }),
    claims('pos 1.5', 'A whole number.', { pos: 1.5 }),
    claims('pos as a text', 'A number.', { pos: '7' }),
    claims('pos true', 'A number.', { pos: true }),
    claims('pos 2^53', 'Not exact in all languages.', { pos: 2 ** 53 }),
  ];
}

function parties() {
  const iss = (name, token) => bad(name, 'issuer', 'The line that this site trusts.', { token });
  const aud = (name, token) => bad(name, 'audience', 'Made for this site.', { token });
  return [
    iss('no issuer', entryToken(ed, { iss: undefined })),
    iss('another issuer', entryToken(ed, { iss: 'https://evil.example' })),
    iss('another issuer, ES256', entryToken(es, { iss: 'fairline2' })),
    iss('issuer in capitals', entryToken(ed, { iss: 'Fairline' })),
    iss('issuer as a list', entryToken(ed, { iss: ['fairline'] })),
    iss('issuer null', entryToken(ed, { iss: null })),
    aud('no audience', entryToken(ed, { aud: undefined })),
    aud('another audience', entryToken(ed, { aud: 'another-site' })),
    aud('another audience, ES256', entryToken(es, { aud: 'fairline.example' })),
    aud('audience as a number', entryToken(ed, { aud: 7 })),
    aud('audience null', entryToken(ed, { aud: null })),
    aud('empty list of audiences', entryToken(ed, { aud: [] })),
    aud('list of other audiences', entryToken(ed, { aud: ['another-site', 'Fairline'] })),
    bad('vwr of another issuer', 'issuer', 'The line that this site trusts.', {
      kind: 'vwr',
      token: vwrToken(ed, { iss: 'x' }),
    }),
  ];
}

function times() {
  const time = (name, why, given) => bad(name, 'time', why, given);
  return [
    time('5 s after the end', 'The tolerance ends here.', { token: entryToken(ed), now: EXPIRES + 5 }),
    time('long after the end, EdDSA', 'Expired.', { token: entryToken(ed), now: EXPIRES + 86_400 }),
    time('long after the end, ES256', 'Expired.', { token: entryToken(es), now: EXPIRES + 86_400 }),
    time('long after the end, HS256', 'Expired.', { token: entryToken(entry), now: EXPIRES + 86_400 }),
    time('exp 0', 'Expired in 1970.', { token: entryToken(ed, { exp: 0 }) }),
    time('exp negative', 'Expired before 1970.', { token: entryToken(ed, { exp: -EXPIRES }) }),
    time('6 s before the beginning', 'Not valid yet.', { token: entryToken(ed, { nbf: NOW + 6 }) }),
    time('long before the beginning', 'Not valid yet.', { token: entryToken(entry, { nbf: NOW + 86_400 }) }),
    time('vwr after the end', 'Expired.', { kind: 'vwr', token: vwrToken(ed), now: EXPIRES + 5 }),
  ];
}

function events() {
  const event = (name, given) => bad(name, 'event', 'An admission is for one event.', given);
  return [
    event('another event, EdDSA', { token: entryToken(ed), event: 'festival' }),
    event('another event, ES256', { token: entryToken(es), event: 'festival' }),
    event('another event, HS256', { token: entryToken(entry), event: 'festival' }),
    event('event in capitals', { token: entryToken(ed), event: 'Concert' }),
    event('longer event', { token: entryToken(ed), event: 'concert2' }),
    event('shorter event', { token: entryToken(ed), event: 'con' }),
    event('vwr of another event', { kind: 'vwr', token: vwrToken(ed), event: 'festival' }),
  ];
}

function guests() {
  const caller = (name, why, cookies, claims = {}) =>
    bad(name, 'caller', why, { token: entryToken(ed, claims), cookies });
  const cookie = (claims) => [`fairline-guest=${toCookie('guest', { sub: guest.id, ...claims })}`];
  const [header, , signature] = guest.cookie.split('.');
  const unpadded = encode(JSON.stringify({ sub: guest.id, key: guest.key }));
  return [
    caller('no guest cookie', 'A token alone proves no visitor: it may be stolen.', []),
    caller('cookie of another guest', 'The token is of somebody else.', [`fairline-guest=${otherGuest.cookie}`]),
    caller('cookie with the id and another key', 'Ids are public, keys are not.', cookie({ key: otherGuest.key })),
    caller('cookie with the id as key', 'Ids are public, keys are not.', cookie({ key: guest.id.slice(6) })),
    caller('cookie without a key', 'Cookies of old versions need the secret of the line.', cookie({})),
    caller('key null', 'A text.', cookie({ key: null })),
    caller('key as a number', 'A text.', cookie({ key: 7 })),
    caller('key as a list', 'A text.', cookie({ key: [guest.key] })),
    caller('empty key', 'A key has 22 characters.', cookie({ key: '' })),
    caller('key in capitals', 'Compared exactly.', cookie({ key: guest.key.toUpperCase() })),
    caller('key with padding', 'A key has one spelling.', cookie({ key: `${guest.key}==` })),
    caller('cookie is no token', 'A cookie that does not parse.', ['fairline-guest=nonsense']),
    caller('cookie is empty', 'A cookie that does not parse.', ['fairline-guest=']),
    caller('cookie with two parts', 'A cookie has three parts.', [`fairline-guest=${header}.${unpadded}`]),
    caller('cookie whose claims are no JSON', 'A cookie that does not parse.', [
      `fairline-guest=${header}.${encode('{')}.${signature}`,
    ]),
    caller('cookie whose claims are a list', 'A cookie that does not parse.', [
      `fairline-guest=${header}.${encode('[]')}.${signature}`,
    ]),
    caller('cookie of a user of the site', 'Another cookie.', [`fairline-session=${guest.cookie}`]),
    caller('cookie whose name ends alike', 'A name is compared as a whole.', [`x-fairline-guest=${guest.cookie}`]),
    caller('__Host- cookie of another guest', 'It counts before the plain one, which a subdomain can set.', [
      `fairline-guest=${guest.cookie}`,
      `__Host-fairline-guest=${otherGuest.cookie}`,
    ]),
    caller('uid without guest:', 'Another visitor.', undefined, { uid: guest.id.slice(6) }),
    caller('uid with a shorter hash', 'Another visitor.', undefined, { uid: guest.id.slice(0, -1) }),
    caller('uid with a longer hash', 'Another visitor.', undefined, { uid: `${guest.id}A` }),
    caller('uid of a device', 'Devices and guests have ids of their own.', undefined, { uid: device.id }),
    caller('empty uid', 'Nobody.', [], { uid: '' }),
    caller('uid of a user, guest cookie', 'The site names no user.', undefined, { uid: 'mina' }),
  ];
}

function users() {
  const caller = (name, why, uid, user, cookies) =>
    bad(name, 'caller', why, { token: entryToken(ed, { uid }), user, cookies });
  return [
    caller('another user', 'The token is of somebody else.', 'mina', 'jun'),
    caller('user in capitals', 'Compared exactly.', 'mina', 'Mina'),
    caller('user with more characters', 'Compared exactly.', 'mina', 'mina2'),
    caller(
      'token of a guest, user signed in',
      'The site names a user, so the cookie does not count.',
      guest.id,
      'mina',
      [`fairline-guest=${guest.cookie}`],
    ),
    caller('user who is named like a guest', 'No user has an id that begins with guest:.', guest.id, guest.id),
    caller('empty user', 'Nobody.', '', ''),
    caller('empty user, token of a guest', 'The site says that there is a user.', guest.id, '', [
      `fairline-guest=${guest.cookie}`,
    ]),
  ];
}

function devices() {
  const caller = (name, why, cookies, claims = {}) =>
    bad(name, 'caller', why, { kind: 'vwr', token: vwrToken(ed, claims), cookies });
  return [
    caller('no device cookie', 'A token alone proves no device.', []),
    caller('cookie of another device', 'The token is of somebody else.', [`fairline-device=${otherDevice.cookie}`]),
    caller('guest cookie for a device', 'Another cookie.', [`fairline-guest=${device.cookie}`]),
    caller(
      'device with the key of a guest',
      'Devices and guests have ids of their own.',
      [`fairline-device=${guest.cookie}`],
      { uid: guest.id.slice(6) },
    ),
  ];
}

/** Tokens whose text, header or signature is wrong. */
import { createHmac, createPublicKey } from 'node:crypto';
import { tokenOfLength } from './good-cases.mjs';
import { encode, p256Order, toDer, toSecondSpelling, toToken } from './sign.mjs';
import { bad, entryClaims, entryToken, guest, headerOf, keys, secrets, uselessKeys, vwrToken } from './world.mjs';

const { ed, edRetired, es, entry, vwr, foreignEd, foreignEs, foreignSecret } = keys;

export const badFormCases = () => [
  ...forms(),
  ...headers(),
  ...types(),
  ...unknownKeys(),
  ...algorithms(),
  ...signatures(),
  ...changes(),
];

function forms() {
  const [header, claims, signature] = entryToken(ed).split('.');
  const form = (name, why, token) => bad(name, 'form', why, { token });
  return [
    bad('no token', 'missing', 'Nothing was presented.', {}),
    bad('no vwr token', 'missing', 'Nothing was presented.', { kind: 'vwr' }),
    form('empty cookie', 'A token is not empty.', ''),
    form('one part', 'A token has three parts.', 'nonsense'),
    form('two parts', 'A token has three parts.', `${header}.${claims}`),
    form('four parts', 'A token has three parts.', `${entryToken(ed)}.${signature}`),
    form('five parts', 'An encrypted token is no signed one.', `${header}..${claims}.${claims}.${signature}`),
    form('empty header part', 'No part is empty.', `.${claims}.${signature}`),
    form('empty claims part', 'No part is empty.', `${header}..${signature}`),
    form('no signature', 'No part is empty.', `${header}.${claims}.`),
    form('padding', 'base64url of tokens has no padding.', `${entryToken(entry)}=`),
    form('standard base64', 'Another alphabet.', `${header}.${claims}.${'+/'.repeat(43)}`),
    form('unused bits in an HS256 signature', 'A token has one spelling.', withUnusedBits(entryToken(entry))),
    form('unused bits in an EdDSA signature', 'A token has one spelling.', withUnusedBits(entryToken(ed))),
    form('unused bits in an ES256 signature', 'A token has one spelling.', withUnusedBits(entryToken(es))),
    form('short HS256 signature', 'A digest has 32 bytes.', entryToken(entry).slice(0, -1)),
    form('short EdDSA signature', 'A signature has 64 bytes.', entryToken(ed).slice(0, -2)),
    form('long EdDSA signature', 'A signature has 64 bytes.', `${entryToken(ed)}AA`),
    form('ES256 signature in ASN.1', 'JWS wants r and s, 32 bytes each.', derToken()),
    form('2049 characters or more', 'A token has at most 2048 characters.', longToken()),
    form('quotes', 'The value of a cookie is taken as it is.', `"${entryToken(ed)}"`),
    form('percent-encoded dots', 'Nothing is decoded twice.', entryToken(ed).replaceAll('.', '%2E')),
    form(
      'white space inside',
      'Decoders that skip it give a token many spellings.',
      `${header} .${claims}.${signature}`,
    ),
    bad('Bearer before the token', 'form', 'The header holds the token alone.', { header: `Bearer ${entryToken(ed)}` }),
    bad('two tokens in the header', 'form', 'A list is no token.', { header: `${entryToken(ed)}, ${entryToken(ed)}` }),
    bad('empty header, good cookie', 'form', 'A header that is there counts.', { token: entryToken(ed), header: '' }),
  ];
}

/** Sets a bit that the last character has and the signature has not. */
function withUnusedBits(token) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)) + 1];
}

function derToken() {
  const signed = entryToken(es).split('.').slice(0, 2).join('.');
  return `${signed}.${encode(toDer(es.sign(signed)))}`;
}

function longToken() {
  for (let length = 2049; ; length += 1) {
    try {
      return tokenOfLength(length);
    } catch {
      // No token has this length.
    }
  }
}

function headers() {
  const header = (name, why, text) => bad(name, 'header', why, { token: toToken(text, entryClaims(ed), ed) });
  return [
    header('header is no JSON', 'It must be an object.', '{"alg":"EdDSA"'),
    header('header is a list', 'It must be an object.', '["EdDSA"]'),
    header('header is null', 'It must be an object.', 'null'),
    header('header is a text', 'It must be an object.', '"EdDSA"'),
    header(
      'critical extension',
      'RFC 7515: refuse what you do not implement.',
      headerOf(ed, { crit: ['exp'], exp: 1 }),
    ),
    header('unencoded payload', 'RFC 7797 needs crit.', headerOf(ed, { crit: ['b64'], b64: false })),
    header('empty list of critical extensions', 'RFC 7515 forbids it.', headerOf(ed, { crit: [] })),
  ];
}

function types() {
  const type = (name, why, typ) => bad(name, 'type', why, { token: entryToken(ed, {}, { typ }) });
  return [
    type('no type', 'Each kind of token has a type.', undefined),
    type('type JWT', 'Another kind of token.', 'JWT'),
    type('type of a guest cookie', 'Another kind of token.', 'guest+jwt'),
    type('type of a waiting token', 'Another kind of token: its bearer waits.', 'waiting+jwt'),
    type('type of a staff pass', 'Another kind of token.', 'pass+jwt'),
    type('type in capitals', 'Compared exactly.', 'ENTRY+JWT'),
    type('type with application/', 'Compared exactly.', 'application/entry+jwt'),
    type('type as a list', 'A text.', ['entry+jwt']),
    bad('vwr token as entry token', 'type', 'The turn in tier 1 is no admission.', {
      token: vwrToken(ed, { uid: guest.id }),
    }),
    bad('entry token as vwr token', 'type', 'Another kind of token.', {
      kind: 'vwr',
      token: entryToken(ed, { tier: 1, pos: 7 }),
    }),
    bad('guest cookie as entry token', 'type', 'Another kind of token.', { token: guest.cookie }),
  ];
}

function unknownKeys() {
  const key = (name, why, token, kind) => bad(name, 'key', why, { token, kind });
  const attacker = { ...foreignEd, kid: 'foreign' };
  const useless = (kid, signer) => toToken(headerOf({ alg: signer.alg, kid }), entryClaims(ed), signer);
  const oct = { alg: 'HS256', sign: (text) => hmac('a-secret-in-public-0123456789abcdef', text) };
  return [
    key('no kid', 'The kid selects the key.', entryToken(ed, {}, { kid: undefined })),
    key('empty kid', 'The kid selects the key.', entryToken(ed, {}, { kid: '' })),
    key('kid as a number', 'A text.', entryToken(ed, {}, { kid: 1 })),
    key('kid in capitals', 'Compared exactly.', entryToken(ed, {}, { kid: 'ED-1' })),
    key(
      'kid as a path',
      'A kid names a key of the set and nothing else.',
      entryToken(ed, {}, { kid: '../../../../dev/null' }),
    ),
    key(
      'kid of an object property',
      'A kid names a key of the set and nothing else.',
      entryToken(ed, {}, { kid: '__proto__' }),
    ),
    key('retired key', 'No longer in the set.', entryToken(edRetired)),
    key('foreign key', 'Not in the set.', entryToken(attacker)),
    key(
      'foreign key in the header',
      'A token does not choose its key.',
      entryToken(attacker, {}, { jwk: attacker.jwk }),
    ),
    key(
      'foreign key set in the header',
      'A token does not choose its key.',
      entryToken(attacker, {}, { jku: 'https://evil.example/jwks.json' }),
    ),
    key('foreign secret', 'Not ours.', entryToken(foreignSecret)),
    key('secret of vwr tokens', 'A secret signs one kind.', entryToken(vwr)),
    key('secret of entry tokens', 'A secret signs one kind.', vwrToken(entry), 'vwr'),
    key('JWK whose alg contradicts its type, EdDSA', 'Such a key is not used.', useless('ed-says-es', ed)),
    key('JWK whose alg contradicts its type, ES256', 'Such a key is not used.', useless('es-says-ed', es)),
    key('JWK for encryption', 'Such a key is not used.', useless('ed-for-encryption', ed)),
    key('secret in the key set', 'A public set holds no secrets.', useless('oct-1', oct)),
    key('JWK too short', 'Such a key is not used.', useless('ed-too-short', ed)),
    key('JWK off the curve', 'Such a key is not used.', useless('es-off-the-curve', es)),
    key('JWK of another curve', 'Such a key is not used.', useless(uselessKeys.at(-1).kid, ed)),
  ];
}

const hmac = (secret, text, digest = 'sha256') => createHmac(digest, secret).update(text).digest();

/** The key confusion of old libraries: HS256, with the public key as the secret. */
function confused(key, secret) {
  return toToken(headerOf(key, { alg: 'HS256' }), entryClaims(key), { sign: (text) => hmac(secret, text) });
}

function algorithms() {
  const algorithm = (name, why, token) => bad(name, 'algorithm', why, { token });
  const pem = (key) => createPublicKey({ key: key.jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  const named = (key, alg) => entryToken(key, {}, { alg });
  return [
    algorithm(
      'alg none',
      'A signature of 64 zero bytes.',
      toToken(headerOf(ed, { alg: 'none' }), entryClaims(ed), ed, Buffer.alloc(64)),
    ),
    algorithm('alg none, really signed', 'The key fixes the algorithm.', named(ed, 'none')),
    algorithm('alg None', 'The key fixes the algorithm.', named(ed, 'None')),
    algorithm('no alg', 'The key fixes the algorithm.', named(ed, undefined)),
    algorithm('alg as a list', 'A text.', named(ed, ['EdDSA'])),
    algorithm('HS256 with the public Ed25519 key in PEM', 'The key fixes the algorithm.', confused(ed, pem(ed))),
    algorithm(
      'HS256 with the public Ed25519 bytes',
      'The key fixes the algorithm.',
      confused(ed, Buffer.from(ed.jwk.x, 'base64url')),
    ),
    algorithm('HS256 with the public Ed25519 text', 'The key fixes the algorithm.', confused(ed, ed.jwk.x)),
    algorithm('HS256 with the public P-256 key in PEM', 'The key fixes the algorithm.', confused(es, pem(es))),
    algorithm('HS256 with the public JWK', 'The key fixes the algorithm.', confused(es, JSON.stringify(es.jwk))),
    algorithm('HS256 with an empty secret', 'The key fixes the algorithm.', confused(ed, '')),
    algorithm('ES256 said of an Ed25519 key', 'The key fixes the algorithm.', named(ed, 'ES256')),
    algorithm('EdDSA said of a P-256 key', 'The key fixes the algorithm.', named(es, 'EdDSA')),
    algorithm('EdDSA said of a secret', 'The key fixes the algorithm.', named(entry, 'EdDSA')),
    algorithm('HS512 said of a secret', 'The key fixes the algorithm.', named(entry, 'HS512')),
    algorithm('ES384 said of a P-256 key', 'The key fixes the algorithm.', named(es, 'ES384')),
    algorithm('RS256 said of an Ed25519 key', 'The key fixes the algorithm.', named(ed, 'RS256')),
    algorithm('alg in small letters', 'Compared exactly.', named(entry, 'hs256')),
  ];
}

function signatures() {
  const signature = (name, why, token) => bad(name, 'signature', why, { token });
  const by = (key, signer) => toToken(headerOf(key), entryClaims(key), signer);
  const with_ = (key, bytes) => toToken(headerOf(key), entryClaims(key), key, bytes);
  const signed = (key) => `${encode(headerOf(key))}.${encode(entryClaims(key))}`;
  const [edBytes, esBytes] = [ed.sign(signed(ed)), es.sign(signed(es))];
  const [r, s, zero] = [esBytes.subarray(0, 32), esBytes.subarray(32), Buffer.alloc(32)];
  const secretText = Buffer.from(secrets.entry, 'base64');
  return [
    signature('signed by another Ed25519 key', 'Only the line has the private key.', by(ed, foreignEd)),
    signature('signed by another P-256 key', 'Only the line has the private key.', by(es, foreignEs)),
    signature('signed with another secret', 'Only the line has the secret.', by(entry, foreignSecret)),
    signature(
      'foreign key in the header under a known kid',
      'A token does not choose its key.',
      toToken(headerOf(ed, { jwk: foreignEd.jwk }), entryClaims(ed), foreignEd),
    ),
    signature('EdDSA of zeros', 'No signature.', with_(ed, Buffer.alloc(64))),
    signature(
      'EdDSA with S + L',
      'RFC 8032: S is below L. A token has one spelling.',
      with_(ed, toSecondSpelling(edBytes)),
    ),
    signature('EdDSA with one bit changed', 'No signature.', with_(ed, flip(edBytes, 5))),
    signature('ES256 of zeros', 'r and s are not 0.', with_(es, Buffer.alloc(64))),
    signature('ES256 with r = 0', 'r and s are not 0.', with_(es, Buffer.concat([zero, s]))),
    signature('ES256 with s = 0', 'r and s are not 0.', with_(es, Buffer.concat([r, zero]))),
    signature('ES256 with r and s = n', 'r and s are below n.', with_(es, Buffer.concat([p256Order, p256Order]))),
    signature('ES256 with r and s exchanged', 'No signature.', with_(es, Buffer.concat([s, r]))),
    signature('ES256 with one bit changed', 'No signature.', with_(es, flip(esBytes, 40))),
    signature('HS256 of zeros', 'No signature.', with_(entry, Buffer.alloc(32))),
    signature('HS256 with one bit changed', 'No signature.', with_(entry, flip(entry.sign(signed(entry)), 31))),
    signature('HS256 with an empty secret under a known kid', 'No signature.', with_(entry, hmac('', signed(entry)))),
    signature(
      'HS256 with the secret read as base64',
      'The secret is the text.',
      with_(entry, hmac(secretText, signed(entry))),
    ),
    signature(
      'half of an HMAC-SHA-512',
      'Another algorithm.',
      with_(entry, hmac(secrets.entry, signed(entry), 'sha512').subarray(0, 32)),
    ),
    signature(
      '64 bytes for HS256',
      'A digest has 32 bytes.',
      with_(entry, hmac(secrets.entry, signed(entry), 'sha512')),
    ),
    signature('32 bytes for EdDSA', 'A signature has 64 bytes.', with_(ed, edBytes.subarray(0, 32))),
    signature('32 bytes for ES256', 'A signature has 64 bytes.', with_(es, r)),
  ];
}

function flip(bytes, at) {
  const changed = Buffer.from(bytes);
  changed[at] ^= 1;
  return changed;
}

/** Genuine signatures under a text that was changed afterwards. */
function changes() {
  const changed = (key, claims) => {
    const [header, , signature] = entryToken(key).split('.');
    return `${header}.${encode(entryClaims(key, claims))}.${signature}`;
  };
  const change = (name, token) => bad(name, 'signature', 'Changed after it was signed.', { token });
  const [, claims, signature] = entryToken(ed).split('.');
  return [
    change('event changed, EdDSA', changed(ed, { sub: 'festival' })),
    change('visitor changed, ES256', changed(es, { uid: 'guest:AAAAAAAAAAAAAAAA' })),
    change('longer time, HS256', changed(entry, { exp: 4_000_000_000 })),
    change('header changed', `${encode(headerOf(ed, { x: 1 }))}.${claims}.${signature}`),
    change(
      'signature of another token',
      entryToken(ed).replace(/[^.]+$/, entryToken(ed, { jti: 'other' }).split('.')[2]),
    ),
  ];
}

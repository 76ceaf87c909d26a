/** Random changes of a signed text, from a seed. */
import type { Random } from '../../src/simulate/random.ts';

/** `others`: genuine texts of the other kinds, to take parts from. */
export type Mutation = (text: string, random: Random, others: readonly string[]) => string;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url').toString();
const pick = <T>(random: Random, from: ArrayLike<T>): T => from[Math.floor(random() * from.length)]!;
const indexIn = (random: Random, text: string) => Math.floor(random() * text.length);
const replaceAt = (text: string, at: number, char: string) => text.slice(0, at) + char + text.slice(at + 1);

/** Texts without the three parts of a JWT are returned unchanged, and are then skipped. */
const ofJwt =
  (change: (parts: { header: string; claims: string; mac: string }, random: Random) => string): Mutation =>
  (text, random) => {
    const [header, claims, mac, more] = text.split('.');
    if (header === undefined || claims === undefined || mac === undefined || more !== undefined) return text;
    return header.startsWith('eyJ') ? change({ header, claims, mac }, random) : text;
  };

const withHeader = (change: (header: Record<string, unknown>, random: Random) => object): Mutation =>
  ofJwt(({ header, claims, mac }, random) => {
    const changed = encode(JSON.stringify(change(JSON.parse(decode(header)), random)));
    return `${changed}.${claims}.${pick(random, [mac, mac, '', 'A'.repeat(43)])}`;
  });

const withClaims = (change: (json: string, random: Random) => string): Mutation =>
  ofJwt(({ header, claims, mac }, random) => `${header}.${encode(change(decode(claims), random))}.${mac}`);

const HUGE = ['1e400', '1e308', '-1e400', '9007199254740993', '99999999999', '0', '-1', '"9999999999"', 'null', '1e11'];
const KINDS = ['entry+jwt', 'waiting+jwt', 'vwr+jwt', 'device+jwt', 'guest+jwt', 'operator+jwt', 'JWT', 'at+jwt', ''];

export const mutations: Record<string, Mutation> = {
  'flipped bit': (text, random) => {
    const at = indexIn(random, text);
    return replaceAt(text, at, String.fromCharCode(text.charCodeAt(at) ^ (1 << Math.floor(random() * 7))));
  },
  'other character': (text, random) => replaceAt(text, indexIn(random, text), pick(random, ALPHABET)),
  'other last character': (text, random) => text.slice(0, -1) + pick(random, ALPHABET),
  'unused bits of a part': (text, random) => {
    const parts = text.split('.');
    const at = Math.floor(random() * parts.length);
    const part = parts[at]!;
    const value = ALPHABET.indexOf(part.at(-1) ?? '');
    parts[at] = part.slice(0, -1) + (value < 0 ? '' : ALPHABET[value ^ (1 + Math.floor(random() * 3))]);
    return parts.join('.');
  },
  'character that is the same in its low byte': (text, random) => {
    const at = random() < 0.5 ? indexIn(random, text) : text.length - 1 - Math.floor(random() * 43);
    const high = 1 + Math.floor(random() * 0xd6);
    return at < 0 ? text : replaceAt(text, at, String.fromCharCode(text.charCodeAt(at) + high * 256));
  },
  truncated: (text, random) =>
    random() < 0.5 ? text.slice(0, indexIn(random, text)) : text.slice(indexIn(random, text)),
  'trailing characters': (text, random) =>
    text + pick(random, ['A', '=', '==', '.', '.A', '\0', ' ', '\n', '%00', '#', '?', '"', '\u00a0', text]),
  'white space inside': (text, random) => {
    const at = indexIn(random, text);
    return text.slice(0, at) + pick(random, [' ', '\t', '\r\n', '\n', '\u200b', '\ufeff']) + text.slice(at);
  },
  'other alphabet of base64': (text, random) =>
    random() < 0.5
      ? text.replaceAll('-', '+').replaceAll('_', '/')
      : text.replaceAll(/[^.]+/g, (part) => part + '='.repeat((4 - (part.length % 4)) % 4)),
  'other case': (text, random) => {
    const at = indexIn(random, text);
    const char = text[at]!;
    return replaceAt(text, at, char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase());
  },
  'percent encoding': (text, random) => {
    const at = indexIn(random, text);
    return replaceAt(text, at, `%${text.charCodeAt(at).toString(16)}`);
  },
  'swapped parts': (text, random) => {
    const parts = text.split('.');
    const [a, b] = [Math.floor(random() * parts.length), Math.floor(random() * parts.length)];
    [parts[a], parts[b]] = [parts[b]!, parts[a]!];
    return parts.join('.');
  },
  'doubled or missing part': (text, random) => {
    const parts = text.split('.');
    const at = Math.floor(random() * parts.length);
    parts.splice(at, random() < 0.5 ? 1 : 0, ...(random() < 0.5 ? [pick(random, parts)] : []));
    return parts.join('.');
  },
  'part of another kind': (text, random, others) => {
    const [parts, foreign] = [text.split('.'), pick(random, others).split('.')];
    const at = Math.floor(random() * parts.length);
    parts[at] = foreign[at] ?? foreign[0]!;
    return parts.join('.');
  },
  'other algorithm': withHeader((header, random) => ({
    ...header,
    alg: pick(random, [
      'none',
      'None',
      'NONE',
      'nOnE',
      'HS512',
      'HS384',
      'RS256',
      'ES256',
      'PS256',
      'EdDSA',
      '',
      null,
      0,
    ]),
  })),
  'other kind in typ': withHeader((header, random) => ({ ...header, typ: pick(random, KINDS) })),
  'other key id': withHeader((header, random) => ({
    ...header,
    kid: pick(random, ['', '../../dev/null', "' or 1=1", 'AAAAAAAA', null, 0, `${String(header.kid)} `]),
  })),
  'key in the header': withHeader((header, random) => ({
    ...header,
    ...pick<object>(random, [
      { jwk: { kty: 'oct', k: 'AAAA' } },
      { jku: 'http://127.0.0.1/' },
      { crit: ['exp'] },
      { b64: false, crit: ['b64'] },
      { zip: 'DEF' },
      { enc: 'A256GCM' },
    ]),
  })),
  'duplicate key in the header': ofJwt(({ header, claims, mac }, random) => {
    const more = pick(random, ['"alg":"none"', '"typ":"entry+jwt"', '"kid":"AAAAAAAA"', '"alg":"HS256"']);
    const json = decode(header);
    return `${encode(random() < 0.5 ? `{${more},${json.slice(1)}` : `${json.slice(0, -1)},${more}}`)}.${claims}.${mac}`;
  }),
  'duplicate key in the claims': withClaims((json, random) => {
    const more = pick(random, ['"sub":"concert"', '"uid":"admin"', '"exp":9999999999', '"__proto__":{"sub":"x"}']);
    return random() < 0.5 ? `{${more},${json.slice(1)}` : `${json.slice(0, -1)},${more}}`;
  }),
  'other times': withClaims((json, random) =>
    json.replace(/"(exp|iat)":\d+/, (_, name) => `"${pick(random, [name, 'nbf'])}":${pick(random, HUGE)}`),
  ),
  'other claims': withClaims((json, random) =>
    json.replace(
      /"(sub|uid|jti)":"[^"]*"/,
      (_, name) => `"${name}":"${pick(random, ['other', 'admin', '', 'mina '])}"`,
    ),
  ),
  'same claims, written differently': withClaims((json, random) =>
    pick(random, [
      ` ${json}`,
      `${json} `,
      json.replace(',', ', '),
      json.replace('"sub"', '"\\u0073ub"'),
      `\ufeff${json}`,
    ]),
  ),
};

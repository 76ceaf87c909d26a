/**
 * Which passwords are too easy to guess: common ones, the visitor's own data, repetitions, sequences and keyboard walks. There
 * are no rules of composition: they make passwords harder to remember and not harder to guess (NIST SP 800-63B).
 */
import { commonWords } from './common-passwords.ts';

export type PasswordProblem = 'short' | 'common' | 'personal' | 'pattern';

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

/** undefined: the password is acceptable. `personal`: texts about the visitor, such as email and name. */
export function findPasswordProblem(password: string, personal: readonly string[]): PasswordProblem | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if ([...text].length < PASSWORD_MIN_LENGTH) return 'short';
  if (isRepetition(text) || isSequence(text) || isDate(text)) return 'pattern';
  if (isPersonal(text, personal)) return 'personal';
  return isCommon(text) ? 'common' : undefined;
}

/** A common word, also repeated, joined with another one, spelled with digits, or with something short before or after it. */
function isCommon(text: string): boolean {
  return [text, ...spellings(text)].some((spelled) => {
    const core = spelled.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
    return commonWords.has(spelled) || isMadeOfCommonWords(core, 2);
  });
}

/** What was meant by `p4ssw0rd`. A digit can stand for more than one letter. */
function spellings(text: string): string[] {
  const plain = text.replaceAll(/[04356789@$!|]/g, (sign) => LETTERS[sign] ?? sign);
  return [plain.replaceAll('1', 'i'), plain.replaceAll('1', 'l')];
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

function isMadeOfCommonWords(text: string, count: number): boolean {
  const joined = text.replaceAll(/[\s._-]+/g, '');
  if (joined === '') return false;
  if (commonWords.has(joined)) return true;
  if (count === 1) return false;
  for (let at = 3; at <= joined.length - 3; at += 1) {
    if (commonWords.has(joined.slice(0, at)) && isMadeOfCommonWords(joined.slice(at), count - 1)) return true;
  }
  return false;
}

/** Hardly anything is left of it without the visitor's own data. */
function isPersonal(text: string, personal: readonly string[]): boolean {
  const words = personal.flatMap(toWords).sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest !== text && rest.replaceAll(/[^\p{L}]/gu, '').length < 4;
}

function toWords(text: string): string[] {
  const whole = text.normalize('NFKC').toLowerCase();
  const parts = whole.split(/[^\p{L}\p{N}]+/u);
  return [whole, whole.split('@')[0]!, ...parts, parts.join('')].filter((word) => word.length >= 3);
}

/** `aaaaaaaa`, `abcabcabc`, `11223311`: a short unit repeated, or hardly any different characters. */
function isRepetition(text: string): boolean {
  if (new Set(text).size < 4) return true;
  for (let length = 1; length < PASSWORD_MIN_LENGTH && length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return true;
  }
  return false;
}

/** `abcd1234`, `qwerty123`, `1q2w3e4r`: a run of neighbours counts as one character, and few characters are left. */
function isSequence(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const length = runLength(text, at);
    count += length >= 3 ? 1 : length;
    at += length;
  }
  return count < 5;
}

function runLength(text: string, from: number): number {
  let to = from + 1;
  while (to < text.length && areNeighbours(text[to - 1]!, text[to]!)) to += 1;
  return to - from;
}

function areNeighbours(a: string, b: string): boolean {
  return Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) <= 1 || areKeysBeside(a, b);
}

const KEY_ROWS = ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'];
/** With Shift held. */
const SHIFTED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'!@#$%^&*()_+'].map((sign, index) => [sign, KEY_ROWS[0]![index]!]),
);

/** Each row is shifted to the right, so a key touches two keys of the row below: the same column and the one before. */
function areKeysBeside(a: string, b: string): boolean {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one === undefined || other === undefined) return false;
  const [rows, columns] = [other.row - one.row, other.column - one.column];
  if (rows === 0) return Math.abs(columns) <= 1;
  if (rows === 1) return columns === 0 || columns === -1;
  return rows === -1 && (columns === 0 || columns === 1);
}

function placeOf(sign: string): { row: number; column: number } | undefined {
  const key = SHIFTED[sign] ?? sign;
  const row = KEY_ROWS.findIndex((keys) => keys.includes(key));
  return row === -1 ? undefined : { row, column: KEY_ROWS[row]!.indexOf(key) };
}

/** A date of a life, or a Korean mobile number. */
function isDate(text: string): boolean {
  const digits = text.replaceAll(/[\s./-]+/g, '');
  return /^((19|20)\d\d(0\d|1[0-2])[0-3]\d|[0-3]\d(0\d|1[0-2])(19|20)\d\d|(0\d|1[0-2])[0-3]\d(19|20)\d\d|010\d{8})$/.test(
    digits,
  );
}

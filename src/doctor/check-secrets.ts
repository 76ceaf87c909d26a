/** Checks that secrets are hard to guess and distinct. Never prints them. */
import { type Check, ok, problem, warning } from './check.ts';

/** Below this, an attacker who has a token could find its secret by brute force. */
const WEAK_BITS = 100;
const GUESSABLE_WORDS =
  /secret|password|passwd|changeme|change-me|example|default|fairline|test|admin|qwerty|12345|letmein|0000|aaaa/i;

export function checkSecrets(secrets: Readonly<Record<string, string | undefined>>): Check[] {
  const set = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const checks = set.map(([name, value]) => checkSecret(name, value));
  for (const [index, [name, value]] of set.entries()) {
    const same = set.slice(0, index).find(([, other]) => other === value);
    if (same === undefined) continue;
    checks.push(problem(name, `the same as ${same[0]}`, 'generate a separate one: openssl rand -base64 32'));
  }
  return checks;
}

function checkSecret(name: string, value: string): Check {
  const advice = 'generate a random one: openssl rand -base64 32';
  if (bitsOf(value) < WEAK_BITS) return problem(name, 'too few different characters, easy to guess', advice);
  if (GUESSABLE_WORDS.test(value)) return warning(name, 'contains a common word, so it is not random', advice);
  return ok(name, 'set');
}

/** Upper bound of its entropy: the Shannon entropy of its character frequencies times its length. */
export function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}

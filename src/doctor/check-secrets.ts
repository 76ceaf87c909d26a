/** Whether secrets could be guessed. Nothing of them is told. */
import { type Check, ok, problem, warning } from './check.ts';

/** Below this a patient attacker with the tokens at hand could try them all. */
const WEAK_BITS = 100;
const TELLTALES =
  /secret|password|passwd|changeme|change-me|example|default|fairline|test|admin|qwerty|12345|letmein|0000|aaaa/i;

export function checkSecrets(secrets: Readonly<Record<string, string | undefined>>): Check[] {
  const set = Object.entries(secrets).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const checks = set.map(([name, value]) => checkSecret(name, value));
  for (const [index, [name, value]] of set.entries()) {
    const same = set.slice(0, index).find(([, other]) => other === value);
    if (same === undefined) continue;
    checks.push(problem(name, `the same as ${same[0]}`, 'make up one of its own: openssl rand -base64 32'));
  }
  return checks;
}

function checkSecret(name: string, value: string): Check {
  const advice = 'make one by chance, as openssl rand -base64 32 does';
  if (bitsOf(value) < WEAK_BITS) return problem(name, 'too few different characters to be hard to guess', advice);
  if (TELLTALES.test(value)) return warning(name, 'holds a word, so it was not made by chance', advice);
  return ok(name, 'set');
}

/** How many bits it would have at most, had its characters been drawn at their frequencies. */
export function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}

/** Checks the file with the private keys of tokens: who may read it, how old its keys are, and the clock. */
import { stat } from 'node:fs/promises';
import { readKeyFile } from '../signing-keys/key-file.ts';
import { findSigningKey, stateOf } from '../signing-keys/key-rules.ts';
import { type Check, ok, problem, warning } from './check.ts';

const DAY_MS = 86_400_000;
const OLD_DAYS = 365;
/** More than clocks usually differ. */
const CLOCK_MS = 5_000;

/** `isCreated`: fairline start creates a missing file. */
export async function checkTokenKeys(path: string, isCreated: boolean, now: number): Promise<Check[]> {
  const what = `keys of tokens ${path}`;
  try {
    const { mode } = await stat(path);
    return [checkMode(what, path, mode & 0o777), ...(await checkKeys(what, path, now))];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      return [problem(what, message, 'replace the file: fairline keys create (docs/guides/keys.md)')];
    if (isCreated) return [ok(what, 'does not exist yet; fairline start creates it')];
    return [problem(what, 'no such file', `create it: fairline keys create --file ${path}`)];
  }
}

function checkMode(what: string, path: string, mode: number): Check {
  // Windows has no such permissions.
  if ((mode & 0o077) === 0 || process.platform === 'win32') return ok(what, 'readable only by its owner');
  const advice = `chmod 600 ${path} (Kubernetes: defaultMode 0400), and rotate the keys`;
  return problem(what, `readable by other users (mode ${mode.toString(8)})`, advice);
}

async function checkKeys(what: string, path: string, now: number): Promise<Check[]> {
  const { keys } = await readKeyFile(path);
  const signing = findSigningKey(keys, now)!;
  const hasNext = keys.some((key) => stateOf(key, keys, now) === 'next');
  const days = Math.floor((now - signing.createdAt) / DAY_MS);
  const found = `${signing.jwk.kid} (${signing.jwk.alg}) signs, ${Math.max(0, days)} days old, ${hasNext ? 'the next key is published' : 'no next key'}`;
  const late = Math.max(...keys.map(({ createdAt }) => createdAt)) - now;
  return [
    days >= OLD_DAYS && !hasNext ? warning(what, found, 'replace it: fairline keys rotate') : ok(what, found),
    ...(late <= CLOCK_MS
      ? []
      : [warning(what, `a key was created ${Math.ceil(late / 1000)} s after now`, 'set this clock: run NTP')]),
  ];
}

/** Reads and writes the file with the private keys. Replaced as a whole, so that no process reads half of it. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { formatKeys, KeyFileError, parseKeys } from './key-file-format.ts';
import type { KeyAlgorithm, TokenKey, TokenKeys } from './key-rules.ts';

export function createKey(alg: KeyAlgorithm, { now, signsFrom }: { now: number; signsFrom: number }): TokenKey {
  const { privateKey } =
    alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' }) as Record<string, string>;
  // The id of a key follows from its public half, so no two keys share one.
  const kid = createHash('sha256').update(`fairline key ${jwk.x}`).digest('base64url').slice(0, 12);
  return { jwk: { ...jwk, kid, alg }, createdAt: now, signsFrom };
}

export async function readKeyFile(path: string): Promise<TokenKeys> {
  try {
    return parseKeys(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof KeyFileError) throw new KeyFileError(`${path} ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new KeyFileError(`${path}: no such file; create it with: fairline keys create --file ${path}`);
  }
}

/** Replaces the file. */
export async function writeKeyFile(path: string, keys: TokenKeys): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(unfinished, formatKeys(keys), { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Creates the file with one key that signs at once. False: the file exists and was left as it is. */
export async function createKeyFile(path: string, keys: TokenKeys): Promise<boolean> {
  try {
    await writeFile(path, formatKeys(keys), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

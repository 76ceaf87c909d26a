/** Generates the secrets that are not configured and keeps them in a file that only its owner may read. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'secrets.json';

/** Returns a value for each name: the given one, else the one stored in `dir`, else a new one that is then stored. */
export async function fillSecrets<Name extends string>(
  dir: string,
  given: Readonly<Record<Name, string | undefined>>,
): Promise<Record<Name, string>> {
  const stored = await readStored(dir);
  const missing = (Object.keys(given) as Name[]).filter(
    (name) => given[name] === undefined && stored[name] === undefined,
  );
  for (const name of missing) stored[name] = randomBytes(32).toString('base64url');
  if (missing.length > 0) await writeStored(dir, stored);
  const entries = (Object.keys(given) as Name[]).map((name) => [name, given[name] ?? stored[name]]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

async function readStored(dir: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(dir, FILE), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${join(dir, FILE)} cannot be read: ${(error as Error).message}`);
  }
}

async function writeStored(dir: string, secrets: Record<string, string>): Promise<void> {
  const unfinished = join(dir, `unfinished-${FILE}`);
  // The mode counts only for a new file, and an existing one could be a link that somebody placed there.
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, join(dir, FILE));
}

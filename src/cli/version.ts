import { existsSync, readFileSync } from 'node:fs';

/** From the nearest manifest above, since compiled sources lie one folder deeper. */
export function readVersion(folder = new URL('.', import.meta.url)): string {
  const manifest = new URL('package.json', folder);
  if (!existsSync(manifest)) return readVersion(new URL('..', folder));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

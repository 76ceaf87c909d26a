import { existsSync, readFileSync } from 'node:fs';

/** Reads the nearest package.json above: compiled files are one directory deeper than the sources. */
export function readVersion(folder = new URL('.', import.meta.url)): string {
  const manifest = new URL('package.json', folder);
  if (!existsSync(manifest)) return readVersion(new URL('..', folder));
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

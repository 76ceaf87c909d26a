/** The sources of this repository as data, for tests that check its structure. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Source {
  /** From the root, with forward slashes. */
  path: string;
  text: string;
  /** What it imports: paths from the root for our own files, names for packages. */
  imports: string[];
}

const root = join(import.meta.dirname, '../..');

/** All `.ts` and `.tsx` files below a folder. */
export function readSources(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => toSource(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')));
}

export function toSource(path: string, text: string): Source {
  return { path, text, imports: importsOf(path, text) };
}

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:^(?:import|export|}).* from|^import|import\()\s*'([^'\n]+)'/gm)].map(
    ([, specifier]) => specifier!,
  );
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier,
  );
}

/** The sources of this repository as data, for tests that keep its shape. */
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

export function readSources(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `${folder}/${name}`;
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:^(?:import|export|}).* from|import\()\s*'([^'\n]+)'/gm)].map(
    ([, specifier]) => specifier!,
  );
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier,
  );
}

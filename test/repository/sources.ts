/** The sources of this repository as data, for tests that check its structure. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Source {
  /** From the root, with forward slashes. */
  path: string;
  text: string;
  /** What it imports: paths from the root for our own files, names for packages. */
  imports: string[];
  /** Those of them that only `import type` names, which the compiler erases. */
  typeImports: string[];
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
  const imports = importsOf(path, text, /(?:^(?:import|export|}).* from|^import|import\()\s*'([^'\n]+)'/gm);
  const types = importsOf(path, text, /^import type [^;]*? from '([^'\n]+)'/gm);
  // A file may import types and values of another in two statements.
  const isErased = (name: string) => count(imports, name) === count(types, name);
  return { path, text, imports, typeImports: types.filter(isErased) };
}

function importsOf(path: string, text: string, statement: RegExp): string[] {
  return [...text.matchAll(statement)].map(([, specifier]) =>
    specifier!.startsWith('.') ? relative(root, join(root, dirname(path), specifier!)) : specifier!,
  );
}

function count(names: readonly string[], name: string): number {
  return names.filter((each) => each === name).length;
}

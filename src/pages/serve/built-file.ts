/** The files of dist/pages: beside the compiled program, or where the build left them when this runs from source. */
import { existsSync, readFileSync } from 'node:fs';

export function readBuilt(file: string): string {
  return readBuiltBytes(file).toString('utf8');
}

export function readBuiltBytes(file: string): Buffer {
  const beside = new URL('../../../pages/', import.meta.url);
  const folder = existsSync(new URL('queue.html', beside)) ? beside : new URL('../../../dist/pages/', import.meta.url);
  return readFileSync(new URL(file, folder));
}

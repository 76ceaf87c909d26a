/**
 * Loads the translations that COMPAT names. Nothing else refers to src/compat, so the folder, or a system in it, can be
 * deleted.
 */
import { existsSync, readdirSync } from 'node:fs';
import type { Forwarding, Translation } from '../http/translation.ts';
import { SettingsError } from '../platform/settings/settings.ts';

const folder = new URL('../compat/', import.meta.url);
/** `.ts` in tests, `.js` in the built program. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));

export async function openCompat(names: readonly string[]): Promise<readonly (Translation | Forwarding)[]> {
  const known = existsSync(folder) ? readdirSync(folder).sort() : [];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SettingsError(
      `COMPAT names ${unknown}, which is not part of this build; expected: ${known.join(', ') || 'nothing'}`,
    );
  }
  const modules = await Promise.all(
    names.map((name) => import(new URL(`${name}/translations${extension}`, folder).href)),
  );
  return modules.flatMap(({ translations }: { translations: readonly (Translation | Forwarding)[] }) => translations);
}

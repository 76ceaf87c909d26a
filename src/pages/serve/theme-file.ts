/** Reads the theme file. An invalid file stops the start; low contrast is only logged (in compose). */
import { readJsonFile } from '../../platform/settings/json-file.ts';
import { defaultTheme, readTheme, type Theme } from '../design/theme.ts';

export function loadTheme(path: string | undefined): Theme {
  if (path === undefined) return defaultTheme;
  const file = readJsonFile('THEME_FILE', path);
  const read = readTheme(file.content);
  if (read.outcome === 'read') return read.theme;
  throw file.reject(read.problems.join('; '));
}

/** Reads the theme file. An invalid file stops the start; low contrast is only logged (in compose). */
import { readFileSync } from 'node:fs';
import { SettingsError } from '../../platform/settings/settings.ts';
import { defaultTheme, readTheme, type Theme } from '../design/theme.ts';

export function loadTheme(path: string | undefined): Theme {
  if (path === undefined) return defaultTheme;
  const read = readTheme(readJson(path));
  if (read.outcome === 'read') return read.theme;
  throw wrong(path, read.problems.join('; '));
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(path, (error as Error).message);
  }
}

function wrong(path: string, why: string): SettingsError {
  return new SettingsError(`THEME_FILE=${path}: ${why}`);
}

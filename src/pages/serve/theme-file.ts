/** Reads the theme from its file. A mistake in it stops the start; colours that are hard to read are only told. */
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

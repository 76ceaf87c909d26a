/** JSON files that settings name. A file that cannot be used stops the start: the error names the setting and the file. */
import { readFileSync } from 'node:fs';
import { SettingsError } from './settings.ts';

export interface JsonFile {
  content: unknown;
  /** The error for content that cannot be used. */
  reject(why: string): SettingsError;
}

export function readJsonFile(setting: string, path: string): JsonFile {
  const reject = (why: string) => new SettingsError(`${setting}=${path}: ${why}`);
  try {
    return { content: JSON.parse(readFileSync(path, 'utf8')), reject };
  } catch (error) {
    throw reject((error as Error).message);
  }
}

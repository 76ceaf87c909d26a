/** Loads the rules from GATE_RULES_FILE. An invalid file stops the start with an error that names the field. */
import { readFile } from 'node:fs/promises';
import { SettingsError } from '../platform/settings/settings.ts';
import { defaultRules } from './decision/default-rules.ts';
import { type RuleBook, readRules } from './decision/rules.ts';

/** undefined: the default rules. */
export async function loadRules(path: string | undefined): Promise<RuleBook> {
  if (path === undefined) return defaultRules;
  const read = readRules(await readJson(path));
  if (read.outcome === 'read') return read.book;
  throw wrong(path, read.problems.map(({ message }) => message).join('; '));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw wrong(path, (error as Error).message);
  }
}

function wrong(path: string, why: string): SettingsError {
  return new SettingsError(`GATE_RULES_FILE=${path}: ${why}`);
}

/** Loads the rules from GATE_RULES_FILE. An invalid file stops the start with an error that names the field. */
import { readFile } from 'node:fs/promises';
import { SettingsError } from '../platform/settings/settings.ts';
import { resolveSecrets } from './access/resolve-secrets.ts';
import { defaultRules } from './decision/default-rules.ts';
import { type RuleBook, readRules } from './decision/rules.ts';

/** `path`: undefined for the default rules. `findVariable`: reads environment variables that access entries name. */
export async function loadRules(
  path: string | undefined,
  findVariable: (name: string) => string | undefined,
): Promise<RuleBook> {
  if (path === undefined) return defaultRules;
  const read = readRules(await readJson(path));
  if (read.outcome === 'read') {
    const resolved = await resolveSecrets(read.book, findVariable);
    if (resolved.outcome === 'resolved') return resolved.book;
    throw wrong(path, resolved.problem);
  }
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

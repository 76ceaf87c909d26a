/** Loads the rules from GATE_RULES_FILE. An invalid file stops the start with an error that names the field. */
import { readJsonFile } from '../platform/settings/json-file.ts';
import { resolveSecrets } from './access/resolve-secrets.ts';
import { defaultRules } from './decision/default-rules.ts';
import { type RuleBook, readRules } from './decision/rules.ts';

/** `path`: undefined for the default rules. `findVariable`: reads environment variables that access entries name. */
export async function loadRules(
  path: string | undefined,
  findVariable: (name: string) => string | undefined,
): Promise<RuleBook> {
  if (path === undefined) return defaultRules;
  const file = readJsonFile('GATE_RULES_FILE', path);
  const read = readRules(file.content);
  if (read.outcome !== 'read') throw file.reject(read.problems.map(({ message }) => message).join('; '));
  const resolved = await resolveSecrets(read.book, findVariable);
  if (resolved.outcome === 'resolved') return resolved.book;
  throw file.reject(resolved.problem);
}

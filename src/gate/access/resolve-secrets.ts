/** Reads the secrets that access entries of a rules file name, and keeps only their hashes. */
import { readFile } from 'node:fs/promises';
import { toDigest } from '../../platform/crypto/digest.ts';
import { type AccessEntry, isSecret, SECRET_WORDS, type SecretCondition } from '../decision/access-entries.ts';
import type { RuleBook } from '../decision/rules.ts';

export type ResolvedRules = { outcome: 'resolved'; book: RuleBook } | { outcome: 'wrong'; problem: string };

export async function resolveSecrets(
  book: RuleBook,
  findVariable: (name: string) => string | undefined,
): Promise<ResolvedRules> {
  if (book.access === undefined) return { outcome: 'resolved', book };
  try {
    const access = await Promise.all(book.access.map((entry) => resolveEntry(entry, findVariable)));
    return { outcome: 'resolved', book: { ...book, access } };
  } catch (error) {
    return { outcome: 'wrong', problem: (error as Error).message };
  }
}

async function resolveEntry(
  entry: AccessEntry,
  findVariable: (name: string) => string | undefined,
): Promise<AccessEntry> {
  const resolve = async (field: 'header' | 'cookie') => {
    const condition = entry[field];
    if (condition === undefined) return {};
    const text = await readSecret(condition, `${entry.id}.${field}`, findVariable);
    return { [field]: { name: condition.name, secret: { hash: toDigest(text) } } };
  };
  return { ...entry, ...(await resolve('header')), ...(await resolve('cookie')) };
}

async function readSecret(
  { secret }: SecretCondition,
  at: string,
  findVariable: (name: string) => string | undefined,
): Promise<string> {
  if ('text' in secret) return secret.text;
  if ('hash' in secret) throw new Error(`${at} has no secret`);
  const isVariable = 'env' in secret;
  const text = isVariable ? findVariable(secret.env) : (await readFile(secret.file, 'utf8')).trim();
  const source = isVariable ? `${at}.env: the variable ${secret.env}` : `${at}.file: ${secret.file}`;
  if (text === undefined) throw new Error(`${source} is not set`);
  if (!isSecret(text)) throw new Error(`${source} ${SECRET_WORDS}`);
  return text;
}

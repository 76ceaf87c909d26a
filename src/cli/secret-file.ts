/** `--secret-file` of `fairline gate`: the secrets.json that an instance keeps in DATA_DIR, as settings. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedSecrets } from '../config/secret-settings.ts';
import { OptionsError } from '../platform/settings/options.ts';
import { readText } from './sale-options.ts';

/** What a gate verifies tokens with; it has no use for the others. */
const NEEDED = ['entryToken', 'vwrToken', 'auth', 'guest'] as const;

/** Secrets that the file does not have are left out: the instance got them from a setting, and so must the gate. */
export function readGateSecrets(path: string): Record<string, string> {
  const content = parse(path);
  const found = NEEDED.flatMap((name) => {
    const value = content[name];
    return typeof value === 'string' ? [[generatedSecrets[name], value] as const] : [];
  });
  if (found.length > 0) return { ...Object.fromEntries(found), ...findKeyFile(path) };
  throw new OptionsError(
    `--secret-file ${path}: contains none of ${NEEDED.join(', ')}; expected the secrets.json in DATA_DIR of the line`,
  );
}

/** Beside it is the file with the line's keys, whose public halves verify its tokens. */
function findKeyFile(path: string): Record<string, string> {
  const keys = join(dirname(path), 'token-keys.json');
  return existsSync(keys) ? { TOKEN_JWKS: keys } : {};
}

function parse(path: string): Record<string, unknown> {
  const text = readText('secret-file', path);
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>;
  } catch {
    // The parser's message quotes the text, which may be a secret.
  }
  throw new OptionsError(`--secret-file ${path}: not a JSON object; expected the secrets.json in DATA_DIR of the line`);
}

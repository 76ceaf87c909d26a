/** Where a set of public keys (JWKS, RFC 7517) comes from: a URL or a file. */
import type { JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { toVerifyingKey, type VerifyingKey } from './verifying-key.ts';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/** Reads the whole set. Rejects if it cannot be read or is not a key set; the message says why and names no secret. */
export type KeySource = () => Promise<readonly VerifyingKey[]>;

export function readKeysFromUrl(url: string): KeySource {
  return async () => toKeys(await fetchText(url), url);
}

export function readKeysFromFile(path: string): KeySource {
  return async () => toKeys(await readFile(path, 'utf8'), path);
}

/** Rejects if the URL cannot be read; the message names the URL and the reason. */
export async function fetchText(url: string): Promise<string> {
  try {
    // Without redirects: a server that redirects could present the keys of another.
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return await readText(response);
  } catch (error) {
    throw new Error(`${url}: ${reasonOf(error as Error)}`);
  }
}

/** fetch says only that it failed; the cause says why. */
function reasonOf({ message, cause }: Error): string {
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return reason || code || message;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Keys of other kinds (for encryption, of other algorithms) are skipped. */
export function toKeys(text: string, from: string): readonly VerifyingKey[] {
  const keys = listOf(text);
  if (keys === undefined) throw new Error(`${from} is not a key set: expected {"keys": […]}`);
  return keys
    .slice(0, MAX_KEYS)
    .map((jwk) => (typeof jwk === 'object' && jwk !== null ? toVerifyingKey(jwk as JsonWebKey) : undefined))
    .filter((key) => key !== undefined);
}

function listOf(text: string): unknown[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

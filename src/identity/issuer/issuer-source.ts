/** Where the keys of users' tokens come from: a key set (URL or file), or the one that the issuer's own document names. */
import { readFile } from 'node:fs/promises';
import type { Algorithm } from '../../platform/jwt/algorithms.ts';
import { fetchText, type KeySource, toKeys } from '../../platform/jwt/key-source.ts';
import { documentUrlOf, isUrl, readDocument, WrongIssuerError } from './issuer-document.ts';
import type { KeptKeys } from './kept-keys.ts';

export interface IssuerSourceOptions {
  issuer: string | undefined;
  /** A URL or a path. undefined: as the issuer's document says. */
  jwks: string | undefined;
  algorithms: readonly Algorithm[];
  /** For a start while the provider is away. */
  kept?: KeptKeys | undefined;
  onKeptUsed?: (error: Error) => void;
  /** A monotonic clock in milliseconds. */
  now: () => number;
}

/** How long the address of the key set is used before the issuer's document is read again. */
const DOCUMENT_MS = 600_000;

export function createIssuerSource(options: IssuerSourceOptions): KeySource {
  const { issuer, jwks, algorithms, kept } = options;
  const find = jwks === undefined ? createDiscovery(issuer!, options.now) : undefined;
  let hasRead = false;

  async function readText(): Promise<{ text: string; from: string }> {
    const from = jwks ?? (await find!.url());
    try {
      return { text: isUrl(from) ? await fetchText(from) : await readFile(from, 'utf8'), from };
    } catch (error) {
      find?.forget();
      throw error;
    }
  }

  function toAccepted(text: string, from: string) {
    const keys = toKeys(text, from).filter(({ algorithm }) => algorithms.includes(algorithm));
    // A provider always has a key. An empty set is a mistake of theirs, and must not put out everybody.
    if (keys.length === 0) throw new Error(`${from} has no key for ${algorithms.join(', ')}`);
    return keys;
  }

  return async () => {
    try {
      const { text, from } = await readText();
      const keys = toAccepted(text, from);
      hasRead = true;
      await kept?.keep(text);
      return keys;
    } catch (error) {
      const text = hasRead || error instanceof WrongIssuerError ? undefined : await kept?.find();
      if (text === undefined) throw error;
      options.onKeptUsed?.(error as Error);
      hasRead = true;
      return toAccepted(text, 'the kept copy of the keys');
    }
  };
}

interface Discovery {
  url(): Promise<string>;
  /** Reads the document again next time: the key set may have moved. */
  forget(): void;
}

function createDiscovery(issuer: string, now: () => number): Discovery {
  let found: { url: string; until: number } | undefined;
  return {
    async url() {
      if (found === undefined || now() >= found.until) {
        found = { url: readDocument(await fetchText(documentUrlOf(issuer)), issuer), until: now() + DOCUMENT_MS };
      }
      return found.url;
    },
    forget() {
      found = undefined;
    },
  };
}

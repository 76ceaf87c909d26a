/** The public keys of an identity provider in an edge runtime: asked for rarely, and kept while the provider is away. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { documentUrlOf, readDocument } from '../../identity/issuer/issuer-document.ts';

export interface WebUserKeysOptions {
  issuer: string | undefined;
  /** The URL of the key set. undefined: as the issuer's document says. */
  jwks: string | undefined;
  fetch: typeof fetch;
  now: () => number;
}

const TIMEOUT_MS = 3_000;
const REFRESH_MS = 300_000;
/** Strangers can send tokens with key ids that nobody has. They cause at most one read per this time. */
const MIN_REFRESH_MS = 3_000;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const MAX_BYTES = 256 * 1024;

export function createWebUserKeys({ issuer, jwks, fetch: send, now }: WebUserKeysOptions): JWTVerifyGetKey {
  const readText = createLimitedRead(send, now);
  let keys: JWTVerifyGetKey | undefined;
  const open = async () => {
    const url = jwks ?? readDocument(await readText(documentUrlOf(issuer!)), issuer!);
    return createRemoteJWKSet(new URL(url), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: MIN_REFRESH_MS,
      cacheMaxAge: REFRESH_MS,
      [customFetch]: async (from) => new Response(toPublic(await readText(from))),
    });
  };
  return async (header, token) => {
    keys ??= await open();
    return keys(header, token);
  };
}

/** Only the public members, in case someone put a private key there: jose would refuse the whole set. */
function toPublic(text: string): string {
  return JSON.stringify(JSON.parse(text, (name, value) => (PRIVATE_MEMBERS.includes(name) ? undefined : value)));
}

interface LastRead {
  triedAt: number;
  text: string | undefined;
  reading: Promise<string> | undefined;
}

/** The last text stays while the URL cannot be read; jose would forget it. At most two URLs, so the map is small. */
function createLimitedRead(send: typeof fetch, now: () => number): (url: string) => Promise<string> {
  const reads = new Map<string, LastRead>();
  return async (url) => {
    const last = reads.get(url) ?? { triedAt: Number.NEGATIVE_INFINITY, text: undefined, reading: undefined };
    reads.set(url, last);
    if (last.reading !== undefined) return last.reading;
    if (now() - last.triedAt >= MIN_REFRESH_MS) {
      last.triedAt = now();
      last.reading = readOnce(url, send)
        .then((text) => {
          last.text = text;
          return text;
        })
        .catch((error) => {
          if (last.text === undefined) throw error;
          return last.text;
        })
        .finally(() => {
          last.reading = undefined;
        });
      return last.reading;
    }
    if (last.text === undefined) throw new Error(`${url} could not be read just now`);
    return last.text;
  };
}

async function readOnce(url: string, send: typeof fetch): Promise<string> {
  const response = await send(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (const reader = response.body!.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw new Error(`${url} is longer than ${MAX_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

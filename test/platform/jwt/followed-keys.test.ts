import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FollowedKeys } from '../../../src/platform/jwt/followed-keys.ts';
import { readKeysFromUrl } from '../../../src/platform/jwt/key-source.ts';
import { toVerifyingKey, type VerifyingKey } from '../../../src/platform/jwt/verifying-key.ts';

const keyNamed = (kid: string) =>
  toVerifyingKey({ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid } as JsonWebKey)!;

describe('followed keys', () => {
  let keys: readonly VerifyingKey[] = [];
  let reads = 0;
  let now = 0;
  const create = (source = async () => keys) =>
    new FollowedKeys({
      source: async () => {
        reads += 1;
        return source();
      },
      refreshMs: 60_000,
      minRefreshMs: 1_000,
      now: () => now,
    });

  it('are read again for an unknown key id, at most once per period', async () => {
    [keys, reads, now] = [[keyNamed('a')], 0, 0];
    const followed = create();
    await followed.refresh();
    keys = [...keys, keyNamed('b')];
    expect(followed.findMissing('b')).toBeUndefined();
    now = 1_000;
    await followed.findMissing('b');
    expect(followed.keys.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(followed.findMissing('b')).toBeUndefined();
    expect(followed.findMissing('made up')).toBeUndefined();
    expect(reads).toBe(2);
  });

  it('are read once for all who wait for them', async () => {
    [keys, reads, now] = [[keyNamed('a')], 0, 5_000];
    const followed = create();
    await Promise.all(['x', 'y', 'z'].map((id) => followed.findMissing(id)));
    expect(reads).toBe(1);
  });

  it('stay while the source fails, and are the same array while they do not change', async () => {
    [keys, now] = [[keyNamed('a')], 0];
    let isAway = false;
    const followed = create(async () => {
      if (isAway) throw new Error('away');
      return [...keys];
    });
    await followed.refresh();
    const before = followed.keys;
    await followed.refresh();
    isAway = true;
    await followed.refresh();
    expect(followed.keys).toBe(before);
  });
});

describe('keys from a URL', () => {
  const server = createServer((request, response) => {
    const answers: Record<string, [number, string]> = {
      '/keys': [200, '{"keys": [{"kty": "oct"}, 5, null]}'],
      '/list': [200, '[]'],
      '/text': [200, 'hello'],
      '/long': [200, `{"keys": [], "more": "${'x'.repeat(300_000)}"}`],
      '/away': [503, ''],
    };
    const [status, body] = answers[request.url!] ?? [302, ''];
    response.writeHead(status, status === 302 ? { location: '/keys' } : {}).end(body);
  });
  afterEach(() => server.close());

  it('must be a key set of a bearable size, without a redirect', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const read = (path: string) =>
      readKeysFromUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)();
    expect(await read('/keys')).toEqual([]);
    await expect(read('/list')).rejects.toThrow('not a key set');
    await expect(read('/text')).rejects.toThrow('not a key set');
    await expect(read('/long')).rejects.toThrow('longer than');
    await expect(read('/away')).rejects.toThrow('answered 503');
    await expect(read('/redirect')).rejects.toThrow();
  });
});

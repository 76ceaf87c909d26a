/** The contract of the store of posters, on each of its implementations. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFilePosterStore } from '../../src/posters/files/file-poster-store.ts';
import type { PosterStore } from '../../src/posters/poster-store.ts';
import { createS3Client, createS3PosterStore } from '../../src/posters/s3/s3-poster-store.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startS3Stub } from './s3-stub.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const other = Buffer.from('another file');

const openS3 = async () => {
  const stub = await startS3Stub();
  const client = createS3Client(stub.url, {
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  onTestFinished(async () => {
    client.destroy();
    await stub.close();
  });
  const config = { bucket: 'pictures', prefix: 'posters/', endpoint: stub.url };
  return { stub, store: createS3PosterStore(client, config) };
};

const stores: [string, () => Promise<PosterStore>][] = [
  ['a folder', async () => createFilePosterStore(join(tempFolder(), 'posters'))],
  ['S3', async () => (await openS3()).store],
];

describe.each(stores)('posters in %s', (_name, open) => {
  it('returns what was put, byte by byte', async () => {
    const store = await open();
    await store.put({ eventId: 'concert', version: 'v1', file: 'card' }, png);
    expect(await store.find({ eventId: 'concert', version: 'v1', file: 'card' })).toEqual(png);
  });

  it('finds nothing that was not put', async () => {
    const store = await open();
    await store.put({ eventId: 'concert', version: 'v1', file: 'card' }, png);
    expect(await store.find({ eventId: 'concert', version: 'v1', file: 'large' })).toBeUndefined();
    expect(await store.find({ eventId: 'concert', version: 'v2', file: 'card' })).toBeUndefined();
    expect(await store.find({ eventId: 'other', version: 'v1', file: 'card' })).toBeUndefined();
  });

  it('can be put twice', async () => {
    const store = await open();
    const key = { eventId: 'concert', version: 'v1', file: 'card' } as const;
    await Promise.all([store.put(key, png), store.put(key, png)]);
    expect(await store.find(key)).toEqual(png);
  });

  it('removes all files of one version, and no others', async () => {
    const store = await open();
    for (const file of ['card', 'large', 'og'] as const) {
      await store.put({ eventId: 'concert', version: 'v1', file }, png);
    }
    await store.put({ eventId: 'concert', version: 'v2', file: 'card' }, other);
    await store.removeVersion('concert', 'v1');
    await store.removeVersion('concert', 'v1');
    expect(await store.find({ eventId: 'concert', version: 'v1', file: 'og' })).toBeUndefined();
    expect(await store.find({ eventId: 'concert', version: 'v2', file: 'card' })).toEqual(other);
  });
});

it('leaves no partial files in the folder', async () => {
  const folder = tempFolder();
  await createFilePosterStore(folder).put({ eventId: 'concert', version: 'v1', file: 'card' }, png);
  expect(readdirSync(join(folder, 'concert'))).toEqual(['v1-card']);
});

it('stores objects in S3 below the prefix, with their type', async () => {
  const { stub, store } = await openS3();
  await store.put({ eventId: 'concert', version: 'v1', file: 'card' }, png);
  expect(stub.objects.get('pictures/posters/concert/v1-card')?.type).toBe('image/png');
});
